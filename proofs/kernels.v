(** * Kernels with finitely many features (notebook 08)

    A kernel computes the inner product of the features without the features. Here they are
    finitely many and rational; the infinite ones of the Gaussian are beyond this file. *)

From Halfspaces Require Import vectors mistake_bound.

(** Definitions 8.1 and 8.5, with N features: K(x,x') = ⟨φ(x),φ(x')⟩ for all points of Ω. *)
Definition is_kernel {X : Type} (Omega : X -> Prop) (K : X -> X -> Q) : Prop :=
  exists (N : nat) (phi : X -> vec),
    (forall x, Omega x -> length (phi x) = N)
    /\ (forall x x', Omega x -> Omega x' -> K x x' == dot (phi x) (phi x')).

(** ** Closure *)

(** Proposition 8.7 (closure), (a): the features of a sum are those of one, then those of the
    other. *)
Theorem kernel_sum {X : Type} (Omega : X -> Prop) (K K' : X -> X -> Q)
  (first : is_kernel Omega K)
  (second : is_kernel Omega K') :
  is_kernel Omega (fun x x' => K x x' + K' x x').
Proof.
  destruct first as [N [phi [long features]]], second as [N' [phi' [long' features']]].
  exists (N + N')%nat, (fun x => phi x ++ phi' x); split.
  - intros x in_x; rewrite app_length, long, long' by exact in_x; reflexivity.
  - intros x x' in_x in_x'; rewrite dot_app by (rewrite !long; auto).
    rewrite features, features' by assumption; reflexivity.
Qed.

(** Proposition 8.7 (closure), (b): f(x)K(x,x')f(x') has the features f(x)φ(x). *)
Theorem kernel_scaled {X : Type} (Omega : X -> Prop) (K : X -> X -> Q) (f : X -> Q)
  (kernel : is_kernel Omega K) :
  is_kernel Omega (fun x x' => f x * K x x' * f x').
Proof.
  destruct kernel as [N [phi [long features]]]; exists N, (fun x => times (f x) (phi x)); split.
  - intros x in_x; unfold times; rewrite map_length; auto.
  - intros x x' in_x in_x'; rewrite dot_times_l, dot_times_r, features by assumption; ring.
Qed.

(** All products of a coordinate of u with a coordinate of v. *)
Definition products (u v : vec) : vec := flat_map (fun a => times a v) u.

Lemma length_products (u v : vec) : length (products u v) = (length u * length v)%nat.
Proof.
  induction u; simpl; [reflexivity |].
  unfold times; rewrite app_length, map_length, IHu; reflexivity.
Qed.

Lemma dot_products (u u' v v' : vec)
  (equal_u : length u = length u') (equal_v : length v = length v') :
  dot (products u v) (products u' v') == dot u u' * dot v v'.
Proof.
  revert u' equal_u; induction u as [| a u IH]; intros [| b u'] equal_u; simpl in *;
    try discriminate; [ring |].
  rewrite dot_app by (unfold times; rewrite !map_length; exact equal_v).
  rewrite dot_times_l, dot_times_r, IH by lia; ring.
Qed.

(** Proposition 8.7 (closure), (c): the features of a product are all products of a feature of
    one with a feature of the other. *)
Theorem kernel_product {X : Type} (Omega : X -> Prop) (K K' : X -> X -> Q)
  (first : is_kernel Omega K)
  (second : is_kernel Omega K') :
  is_kernel Omega (fun x x' => K x x' * K' x x').
Proof.
  destruct first as [N [phi [long features]]], second as [N' [phi' [long' features']]].
  exists (N * N')%nat, (fun x => products (phi x) (phi' x)); split.
  - intros x in_x; rewrite length_products, long, long' by exact in_x; reflexivity.
  - intros x x' in_x in_x'; rewrite dot_products by (rewrite ?long, ?long'; auto).
    rewrite features, features' by assumption; reflexivity.
Qed.

Lemma kernel_zero {X : Type} (Omega : X -> Prop) : is_kernel Omega (fun _ _ => 0).
Proof. exists 0%nat, (fun _ => []); split; reflexivity. Qed.

Lemma kernel_equal {X : Type} (Omega : X -> Prop) (K K' : X -> X -> Q)
  (kernel : is_kernel Omega K) (equal : forall x x', K' x x' == K x x') : is_kernel Omega K'.
Proof.
  destruct kernel as [N [phi [long features]]]; exists N, phi; split; [exact long |].
  intros x x' in_x in_x'; rewrite equal; auto.
Qed.

(** Proposition 8.7 (closure), (a): aK for a ≥ 0. A root of a need not be rational, but
    a = p/q = pq·(1/q)²: take pq copies of the features φ/q. *)
Theorem kernel_multiple {X : Type} (Omega : X -> Prop) (K : X -> X -> Q) (a : Q)
  (kernel : is_kernel Omega K)
  (nonneg : 0 <= a) :
  is_kernel Omega (fun x x' => a * K x x').
Proof.
  pose proof (kernel_scaled Omega K (fun _ => / inject_Z (QDen a)) kernel) as one.
  assert (copies : forall n, is_kernel Omega
    (fun x x' => of_nat n * (/ inject_Z (QDen a) * K x x' * / inject_Z (QDen a)))).
  { induction n as [| n IH].
    - apply kernel_equal with (2 := fun x x' => Qmult_0_l _), kernel_zero.
    - apply kernel_equal with (1 := kernel_sum _ _ _ one IH).
      intros x x'; rewrite of_nat_S; ring. }
  apply kernel_equal with (1 := copies (Z.to_nat (Qnum a * QDen a))); intros x x'.
  destruct a as [p q]; cbn [Qnum Qden] in *; unfold of_nat.
  rewrite Z2Nat.id by (unfold Qle in nonneg; simpl in nonneg; lia).
  rewrite inject_Z_mult, (Qmake_Qdiv p q); field.
  unfold inject_Z, Qeq; simpl; lia.
Qed.

(** c₀ + c₁k + c₂k² + …, by Horner's rule. *)
Definition polynomial (c : list Q) (k : Q) : Q := fold_right (fun a rest => a + k * rest) 0 c.

(** Proposition 8.7 (closure), (e): p(K) for a polynomial with coefficients ≥ 0. *)
Theorem kernel_polynomial {X : Type} (Omega : X -> Prop) (K : X -> X -> Q) (c : list Q)
  (kernel : is_kernel Omega K)
  (nonneg : Forall (fun a => 0 <= a) c) :
  is_kernel Omega (fun x x' => polynomial c (K x x')).
Proof.
  assert (one : is_kernel Omega (fun _ _ => 1)).
  { exists 1%nat, (fun _ => [1]); split; reflexivity. }
  induction nonneg as [| a c a0 _ IH]; simpl; [apply kernel_zero |].
  apply kernel_sum; [| apply kernel_product; assumption].
  apply kernel_equal with (1 := kernel_multiple _ _ a one a0); intros; ring.
Qed.

(** Corollary 8.8 (the usual kernels): a polynomial with coefficients ≥ 0 in ⟨x,x'⟩, as
    ⟨x,x'⟩ᵏ, (1 + ⟨x,x'⟩)ᵏ and the geometric kernel are, is a kernel on the space of dimension
    n. *)
Theorem usual_kernels (n : nat) (c : list Q)
  (nonneg : Forall (fun a => 0 <= a) c) :
  is_kernel (fun x : vec => length x = n) (fun x x' => polynomial c (dot x x')).
Proof.
  apply kernel_polynomial; [| exact nonneg].
  exists n, (fun x => x); split; [auto | reflexivity].
Qed.

(** Theorem 8.6 (kernels and Gram matrices), only if: K is symmetric and
    Σᵢⱼ cᵢcⱼK(xᵢ,xⱼ) ≥ 0. *)
Theorem gram_semidefinite {X : Type} (Omega : X -> Prop) (K : X -> X -> Q)
  (c : list Q) (xs : list X)
  (kernel : is_kernel Omega K)
  (inside : Forall Omega xs) :
  (forall x x', Omega x -> Omega x' -> K x x' == K x' x)
  /\ 0 <= dot c (map (fun x => dot c (map (K x) xs)) xs).
Proof.
  destruct kernel as [N [phi [long features]]]; split.
  - intros x x' in_x in_x'; rewrite !features by assumption; apply dot_comm.
  - (* it is ‖Σ cᵢφ(xᵢ)‖² *)
    assert (scores : forall f g, (forall x, Omega x -> f x == g x) ->
      forall c xs, Forall Omega xs -> dot c (map f xs) == dot c (map g xs)).
    { clear; intros f g equal c xs inside; revert c; induction inside; intros [| a c];
        try reflexivity.
      cbn [map]; rewrite !dot_cons, equal, IHinside by assumption; reflexivity. }
    pose proof (norm2_nonneg (mix c (map phi xs))) as square; unfold norm2 in square.
    rewrite dot_mix, map_map in square.
    rewrite (scores _ (fun x => dot (mix c (map phi xs)) (phi x))); auto.
    intros x in_x; rewrite (dot_comm (mix c _)), dot_mix, map_map; apply scores; auto.
Qed.

(** ** The kernel perceptron *)

(** Points with labels ±1, as pairs (x, y). *)
Definition signed {X : Type} (phi : X -> vec) (p : X * Q) : vec := times (snd p) (phi (fst p)).

(** yᵢ Σⱼ cⱼyⱼK(xⱼ,xᵢ), which Algorithm 8.3 compares with 0. *)
Definition kernel_score {X : Type} (K : X -> X -> Q) (data : list (X * Q)) (c : list nat)
    (p : X * Q) : Q :=
  snd p * dot (map of_nat c) (map (fun q => snd q * K (fst q) (fst p)) data).

Fixpoint raise (i : nat) (c : list nat) : list nat :=
  match i, c with
  | O, n :: c' => S n :: c'
  | S j, n :: c' => n :: raise j c'
  | _, [] => []
  end.

(** Algorithm 8.3 on a stream of indices, sweeps for instance: which of them were mistakes, and
    the counts in the end. *)
Fixpoint kernel_perceptron {X : Type} (K : X -> X -> Q) (data : list (X * Q)) (c : list nat)
    (stream : list nat) : list nat * list nat :=
  match stream with
  | [] => ([], c)
  | i :: rest =>
      match nth_error data i with
      | Some p => if Qle_bool (kernel_score K data c p) 0
                  then let (mistakes, c') := kernel_perceptron K data (raise i c) rest in
                       (i :: mistakes, c')
                  else kernel_perceptron K data c rest
      | None => kernel_perceptron K data c rest
      end
  end.

Lemma mix_raise (u : vec) (i : nat) (c : list nat) (zs : list vec) (z : vec)
  (one_each : length c = length zs)
  (known : nth_error zs i = Some z) :
  dot u (mix (map of_nat (raise i c)) zs) == dot u (mix (map of_nat c) zs) + dot u z.
Proof.
  revert i zs one_each known; induction c as [| n c IH]; intros i [| z' zs] one_each known;
    try discriminate; [destruct i; discriminate |].
  destruct i as [| i]; simpl in known.
  - injection known as ->; cbn [raise map mix]; rewrite !dot_plus_r, !dot_times_r, of_nat_S; ring.
  - cbn [raise map mix]; rewrite !dot_plus_r.
    rewrite (IH i zs) by (simpl in one_each; lia || exact known); ring.
Qed.

Lemma length_raise (i : nat) (c : list nat) : length (raise i c) = length c.
Proof. revert i; induction c; intros [| i]; simpl; auto. Qed.

(** Both test the same number as long as w = Σ cⱼyⱼφ(xⱼ). *)
Lemma same_score {X : Type} (K : X -> X -> Q) (phi : X -> vec) (data : list (X * Q))
  (c : list nat) (w : vec) (p : X * Q)
  (kernel : forall x x', K x x' == dot (phi x) (phi x'))
  (made_of : same w (mix (map of_nat c) (map (signed phi) data))) :
  kernel_score K data c p == dot w (signed phi p).
Proof.
  rewrite (dot_comm w), (dot_same _ _ (signed phi p) made_of), dot_mix, map_map.
  unfold kernel_score, signed at 1; clear made_of w.
  revert data; induction c as [| n c IH]; intros [| q data]; try (simpl; ring).
  cbn [map]; rewrite !dot_cons, <- IH, kernel.
  unfold signed; rewrite dot_times_l, dot_times_r, (dot_comm (phi (fst p))); ring.
Qed.

(** What the induction needs: the two runs from counts and a w that belong together. *)
Lemma same_run_from {X : Type} (K : X -> X -> Q) (phi : X -> vec) (data : list (X * Q))
  (c : list nat) (w : vec) (stream : list nat)
  (kernel : forall x x', K x x' == dot (phi x) (phi x'))
  (one_each : length c = length data)
  (known : forall i, In i stream -> (i < length data)%nat)
  (made_of : same w (mix (map of_nat c) (map (signed phi) data))) :
  let z := fun i => nth i (map (signed phi) data) [] in
  let (mistakes, counts) := kernel_perceptron K data c stream in
  map z mistakes = mistakes_on w (map z stream)
  /\ same (after w (map z mistakes)) (mix (map of_nat counts) (map (signed phi) data)).
Proof.
  intro z; revert c w one_each made_of; induction stream as [| i rest IH];
    intros c w one_each made_of; simpl; [auto |].
  specialize (IH (fun j later => known j (or_intror later))).
  destruct (nth_error data i) as [p |] eqn:found.
  2: { apply nth_error_None in found; specialize (known i (or_introl eq_refl)); lia. }
  pose proof (map_nth_error (signed phi) i data found) as found'.
  assert (zi : z i = signed phi p) by (apply nth_error_nth, found').
  assert (test : Qle_bool (kernel_score K data c p) 0 = Qle_bool (dot w (signed phi p)) 0).
  { rewrite (same_score K phi data c w p kernel made_of); reflexivity. }
  rewrite zi, test.
  destruct (Qle_bool (dot w (signed phi p)) 0).
  - (* a mistake for both: w grows by z, and the count by 1 *)
    specialize (IH (raise i c) (plus w (signed phi p))); rewrite length_raise in IH.
    assert (made_of' : same (plus w (signed phi p))
      (mix (map of_nat (raise i c)) (map (signed phi) data))).
    { apply same_test; intro u; rewrite dot_plus_r, (dot_same _ _ u made_of).
      symmetry; apply mix_raise; [rewrite map_length; exact one_each | exact found']. }
    specialize (IH one_each made_of').
    destruct (kernel_perceptron K data (raise i c) rest) as [mistakes counts].
    simpl; rewrite zi; destruct IH as [equal final]; split; [f_equal; exact equal | exact final].
  - exact (IH c w one_each made_of).
Qed.

Lemma mix_zeros (n : nat) (zs : list vec) : is_zero (mix (map of_nat (repeat 0%nat n)) zs).
Proof.
  apply zero_test; intro w; rewrite dot_mix; apply dot_zero.
  induction n; constructor; [reflexivity | assumption].
Qed.

(** Theorem 8.4 (the same run): the kernel perceptron makes the same mistakes in the same order
    as the perceptron on the points φ(xᵢ), and its counts are the perceptron's w = Σ cⱼyⱼφ(xⱼ). *)
Theorem same_run {X : Type} (K : X -> X -> Q) (phi : X -> vec) (data : list (X * Q))
  (stream : list nat)
  (kernel : forall x x', K x x' == dot (phi x) (phi x'))
  (known : forall i, In i stream -> (i < length data)%nat) :
  let z := fun i => nth i (map (signed phi) data) [] in
  let (mistakes, counts) := kernel_perceptron K data (repeat 0%nat (length data)) stream in
  map z mistakes = mistakes_on [] (map z stream)
  /\ same (after [] (map z mistakes)) (mix (map of_nat counts) (map (signed phi) data)).
Proof.
  apply same_run_from; auto; [apply repeat_length |].
  unfold same, minus; simpl; apply zero_times, mix_zeros.
Qed.

(** Theorem 8.4 (bound): if yᵢ⟨v,φ(xᵢ)⟩ ≥ 1 for all i, it errs at most max K(x,x)·‖v‖² times. *)
Theorem kernel_mistake_bound {X : Type} (K : X -> X -> Q) (phi : X -> vec)
  (data : list (X * Q)) (stream : list nat) (v : vec) (R2 : Q)
  (kernel : forall x x', K x x' == dot (phi x) (phi x'))
  (known : forall i, In i stream -> (i < length data)%nat)
  (labels : forall x y, In (x, y) data -> y * y == 1)
  (margin : forall x y, In (x, y) data -> 1 <= y * dot v (phi x))
  (radius : forall x y, In (x, y) data -> K x x <= R2)
  (square : 0 <= R2) :
  of_nat (length (fst (kernel_perceptron K data (repeat 0%nat (length data)) stream)))
  <= R2 * norm2 v.
Proof.
  pose proof (same_run K phi data stream kernel known) as equal; cbv zeta in equal.
  destruct (kernel_perceptron K data (repeat 0%nat (length data)) stream) as [mistakes counts].
  destruct equal as [equal _]; simpl fst.
  rewrite <- (map_length (fun i => nth i (map (signed phi) data) []) mistakes), equal.
  destruct (mistakes_on_spec [] (map (fun i => nth i (map (signed phi) data) []) stream))
    as [from all].
  assert (origin : forall z, In z (map (fun i => nth i (map (signed phi) data) []) stream) ->
    exists x y, In (x, y) data /\ z = times y (phi x)).
  { intros z seen; apply in_map_iff in seen; destruct seen as [i [<- seen]].
    assert (here : In (nth i (map (signed phi) data) []) (map (signed phi) data)).
    { apply nth_In; rewrite map_length; auto. }
    apply in_map_iff in here; destruct here as [[x y] [<- here]]; exists x, y; auto. }
  setoid_replace (R2 * norm2 v) with (R2 * norm2 v / (1 * 1)) by field.
  apply squeeze; auto; [lra | |].
  - intros z seen; destruct (origin z (from z seen)) as [x [y [here ->]]].
    rewrite dot_times_r; auto.
  - intros z seen; destruct (origin z (from z seen)) as [x [y [here ->]]].
    rewrite norm2_times, labels by (exact here); unfold norm2.
    rewrite <- kernel; pose proof (radius x y here); lra.
Qed.
