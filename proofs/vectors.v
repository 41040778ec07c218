(** * Vectors

    A vector is a list of rational numbers, and a coordinate that is missing counts as 0. So
    vectors of every dimension can be added and multiplied, the empty list is the zero vector,
    and no lemma has to say that two lists are equally long.

    Lengths stay squared, because a root need not be rational. The real numbers of Coq's library
    rest on axioms; the rational ones rest on nothing, and neither does what is proved here. *)

From Coq Require Export QArith Qround List Lia Lqa.
Export ListNotations.
Open Scope Q_scope.

Notation vec := (list Q).

(** The inner product ⟨u,v⟩. *)
Fixpoint dot (u v : vec) : Q :=
  match u, v with
  | a :: u', b :: v' => a * b + dot u' v'
  | _, _ => 0
  end.

Fixpoint plus (u v : vec) : vec :=
  match u, v with
  | a :: u', b :: v' => a + b :: plus u' v'
  | [], _ => v
  | _, [] => u
  end.

Definition times (c : Q) (v : vec) : vec := map (Qmult c) v.

Definition minus (u v : vec) : vec := plus u (times (-1) v).

(** The squared length ‖v‖². *)
Definition norm2 (v : vec) : Q := dot v v.

(** The linear combination Σ cᵢvᵢ. *)
Fixpoint mix (cs : list Q) (vs : list vec) : vec :=
  match cs, vs with
  | c :: cs', v :: vs' => plus (times c v) (mix cs' vs')
  | _, _ => []
  end.

Definition sum (cs : list Q) : Q := fold_right Qplus 0 cs.

(** All coordinates are 0; and two vectors are the same if their difference is 0. *)
Definition is_zero (v : vec) : Prop := Forall (fun a => a == 0) v.
Definition same (u v : vec) : Prop := is_zero (minus u v).

(** Points with labels ±1, as pairs (x, y); and label and point folded into one, z = yx. *)
Notation labelled := (list (vec * Q)).
Definition folded (data : labelled) : list vec := map (fun p => times (snd p) (fst p)) data.

(** v separates if it has every z on the positive side: ⟨v,z⟩ > 0. *)
Definition separates (v : vec) (zs : list vec) : Prop := forall z, In z zs -> 0 < dot v z.

(** A whole number as a rational one: it is how updates are counted. *)
Definition of_nat (n : nat) : Q := inject_Z (Z.of_nat n).

(** ** The laws: each by going down the lists *)

Lemma dot_cons (a b : Q) (u v : vec) : dot (a :: u) (b :: v) = a * b + dot u v.
Proof. reflexivity. Qed.

Lemma dot_comm (u v : vec) : dot u v == dot v u.
Proof. revert v; induction u; destruct v; simpl; try rewrite IHu; ring. Qed.

Lemma dot_nil_r (u : vec) : dot u [] == 0.
Proof. destruct u; reflexivity. Qed.

Lemma dot_plus_l (u v w : vec) : dot (plus u v) w == dot u w + dot v w.
Proof.
  revert v w; induction u; destruct v, w; simpl; try rewrite IHu; ring.
Qed.

Lemma dot_times_l (c : Q) (u w : vec) : dot (times c u) w == c * dot u w.
Proof.
  revert w; induction u; destruct w; simpl; try ring.
  unfold times in IHu; rewrite IHu; ring.
Qed.

Lemma dot_plus_r (u v w : vec) : dot w (plus u v) == dot w u + dot w v.
Proof. rewrite dot_comm, dot_plus_l, (dot_comm u), (dot_comm v); ring. Qed.

Lemma dot_times_r (c : Q) (u w : vec) : dot w (times c u) == c * dot w u.
Proof. rewrite dot_comm, dot_times_l, (dot_comm u); ring. Qed.

Lemma dot_minus_l (u v w : vec) : dot (minus u v) w == dot u w - dot v w.
Proof. unfold minus; rewrite dot_plus_l, dot_times_l; ring. Qed.

Lemma dot_minus_r (u v w : vec) : dot w (minus u v) == dot w u - dot w v.
Proof. unfold minus; rewrite dot_plus_r, dot_times_r; ring. Qed.

(** A square is not negative, nor is a sum of squares. *)
Lemma square_nonneg (a : Q) : 0 <= a * a.
Proof. nra. Qed.

Lemma norm2_nonneg (v : vec) : 0 <= norm2 v.
Proof.
  unfold norm2; induction v as [| a v IH]; simpl; [lra |].
  pose proof (square_nonneg a); lra.
Qed.

(** Binomial formulas: ‖u + v‖² = ‖u‖² + 2⟨u,v⟩ + ‖v‖², and the one with minus. *)
Lemma norm2_plus (u v : vec) : norm2 (plus u v) == norm2 u + 2 * dot u v + norm2 v.
Proof.
  unfold norm2; rewrite dot_plus_l, !dot_plus_r, (dot_comm v u); ring.
Qed.

Lemma norm2_times (c : Q) (v : vec) : norm2 (times c v) == c * c * norm2 v.
Proof. unfold norm2; rewrite dot_times_l, dot_times_r; ring. Qed.

Lemma norm2_minus (u v : vec) : norm2 (minus u v) == norm2 u - 2 * dot u v + norm2 v.
Proof.
  unfold minus; rewrite norm2_plus, dot_times_r, norm2_times; ring.
Qed.

(** The inner product with a combination is the combination of the inner products:
    ⟨v, Σ cᵢzᵢ⟩ = Σ cᵢ⟨v,zᵢ⟩. *)
Lemma dot_mix (v : vec) (cs : list Q) (zs : list vec) :
  dot v (mix cs zs) == dot cs (map (dot v) zs).
Proof.
  revert zs; induction cs; destruct zs; simpl; try apply dot_nil_r.
  rewrite dot_plus_r, dot_times_r, IHcs; ring.
Qed.

Lemma dot_app (u u' v v' : vec) (equal : length u = length u') :
  dot (u ++ v) (u' ++ v') == dot u u' + dot v v'.
Proof.
  revert u' equal; induction u; intros [| b u'] equal; simpl in *; try discriminate; [ring |].
  rewrite IHu by lia; ring.
Qed.

Lemma sum_app (l l' : list Q) : sum (l ++ l') == sum l + sum l'.
Proof. induction l as [| a l IH]; simpl; [ring |]; rewrite IH; ring. Qed.

(** ** Zero and sameness *)

Lemma dot_zero (u v : vec) (zero : is_zero u) : dot u v == 0.
Proof.
  revert v; induction zero as [| a u a0 _ IH]; destruct v; simpl; try ring.
  rewrite a0, IH; ring.
Qed.

Lemma zero_plus (u v : vec) (zero_u : is_zero u) (zero_v : is_zero v) : is_zero (plus u v).
Proof.
  revert v zero_u zero_v; induction u as [| a u IH]; intros [| b v] zero_u zero_v; simpl; auto.
  inversion_clear zero_u; inversion_clear zero_v; constructor; [lra | apply IH; assumption].
Qed.

Lemma zero_repeat (n : nat) : is_zero (repeat 0 n).
Proof. induction n; constructor; [reflexivity | assumption]. Qed.

Lemma zero_times (c : Q) (v : vec) (zero : is_zero v) : is_zero (times c v).
Proof. induction zero; simpl; constructor; [nra | assumption]. Qed.

Lemma sum_zero (l : list Q) (zero : is_zero l) : sum l == 0.
Proof. induction zero; simpl; lra. Qed.

Lemma sum_times (c : Q) (l : list Q) : sum (times c l) == c * sum l.
Proof. induction l; simpl; [ring |]; unfold times in IHl; rewrite IHl; ring. Qed.

Lemma norm2_zero (v : vec) (short : norm2 v == 0) : is_zero v.
Proof.
  unfold norm2 in short; induction v as [| a v IH]; simpl in short; constructor.
  - pose proof (norm2_nonneg v); unfold norm2 in *; nra.
  - apply IH; pose proof (norm2_nonneg v); pose proof (square_nonneg a); unfold norm2 in *; lra.
Qed.

(** A vector at right angles to all vectors is 0. *)
Lemma zero_test (u : vec) (orthogonal : forall w, dot w u == 0) : is_zero u.
Proof. apply norm2_zero, orthogonal. Qed.

(** So vectors with the same inner products are the same. *)
Lemma same_test (u v : vec) (equal : forall w, dot w u == dot w v) : same u v.
Proof. apply zero_test; intro w; rewrite dot_minus_r, equal; ring. Qed.

Lemma dot_same (u v w : vec) (equal : same u v) : dot w u == dot w v.
Proof.
  pose proof (dot_zero _ w equal) as E.
  rewrite dot_minus_l, (dot_comm u), (dot_comm v) in E; lra.
Qed.

Lemma norm2_same (u v : vec) (equal : same u v) : norm2 u == norm2 v.
Proof.
  unfold norm2.
  rewrite (dot_same _ _ u equal), (dot_comm u), (dot_same _ _ v equal); reflexivity.
Qed.

(** ** Counting *)

Lemma of_nat_S (n : nat) : of_nat (S n) == 1 + of_nat n.
Proof. unfold of_nat; rewrite Nat2Z.inj_succ, <- Z.add_1_l, inject_Z_plus; reflexivity. Qed.

Lemma of_nat_nonneg (n : nat) : 0 <= of_nat n.
Proof. induction n; [discriminate | rewrite of_nat_S; lra]. Qed.
