(** * Which points can be labelled at will (notebook 03)

    The VC dimension of halfspaces is d + 1, and d for those through the origin: so many points
    can be labelled at will if they are well chosen, and one more never can. A label is a truth
    value here, and true says ⟨w,x⟩ ≥ b. *)

From Halfspaces Require Import vectors mistake_bound separation.

(** The halfspace ⟨w,x⟩ ≥ b gives the points these labels. *)
Definition has_labels (w : vec) (b : Q) (labels : list bool) (points : list vec) : Prop :=
  forall l x, In (l, x) (combine labels points) -> (b <= dot w x <-> l = true).

(** ** At most *)

(** Every point of one side is one of the points, with its label. *)
Lemma side_spec (which : bool) (labels : list bool) (points : list vec) (x : vec)
  (known : In x (side which labels points)) : In (which, x) (combine labels points).
Proof.
  revert points known; induction labels as [| l labels IH]; intros [| x' points] known;
    simpl in *; try contradiction.
  destruct (Bool.eqb_spec l which) as [-> | other]; [destruct known as [<- | known] |]; auto.
Qed.

(** Theorem 3.7 (VC dimension), at most d + 1: of any d + 2 points some labelling is that of no
    halfspace. *)
Theorem not_shattered (d : nat) (points : list vec)
  (dimension : forall x, In x points -> length x = d)
  (many : length points = (d + 2)%nat) :
  exists labels, length labels = length points
    /\ forall w b, ~ has_labels w b labels points.
Proof.
  destruct (radon d points dimension many) as [labels [q [long [first second]]]].
  exists labels; split; [exact long |]; intros w b agrees.
  apply (common_point_excludes_halfspaces q _ _ first second w b); split; intros x known;
    pose proof (agrees _ _ (side_spec _ _ _ _ known)) as label.
  - apply label; reflexivity.
  - destruct (Qlt_le_dec (dot w x) b) as [low | high]; [exact low |].
    apply label in high; discriminate.
Qed.

(** A sum of products is positive if no product is negative and one is positive. *)
Lemma some_product (c s : list Q) (equally_long : length c = length s)
  (terms : forall a k, In (a, k) (combine c s) -> if Qle_bool 0 a then 0 <= k else k < 0)
  (some : exists a, In a c /\ a < 0) :
  0 < dot c s.
Proof.
  assert (products : forall a k, In (a, k) (combine c s) -> 0 <= a * k).
  { intros a k known; specialize (terms a k known).
    destruct (Qle_bool 0 a) eqn:sign; [apply Qle_bool_iff in sign; nra |].
    destruct (Qlt_le_dec a 0) as [low | high]; [nra |].
    apply Qle_bool_iff in high; congruence. }
  assert (sums : forall c s, (forall a k, In (a, k) (combine c s) -> 0 <= a * k) -> 0 <= dot c s).
  { clear; induction c as [| a c IH]; intros [| k s] all; simpl in *; try lra.
    pose proof (all a k (or_introl eq_refl)).
    pose proof (IH s (fun a' k' later => all a' k' (or_intror later))); lra. }
  destruct some as [a [known negative]].
  revert s equally_long terms products; induction c as [| a' c IH]; [destruct known |].
  intros [| k s] equally_long terms products; [discriminate |]; simpl dot.
  pose proof (products a' k (or_introl eq_refl)) as first.
  pose proof (sums c s (fun b h later => products b h (or_intror later))) as rest.
  destruct known as [-> | known].
  - specialize (terms a k (or_introl eq_refl)).
    destruct (Qle_bool 0 a) eqn:sign; [apply Qle_bool_iff in sign; lra |]; nra.
  - assert (0 < dot c s); [| lra].
    apply (IH known s).
    + simpl in equally_long; lia.
    + intros b h later; apply terms; right; exact later.
    + intros b h later; apply products; right; exact later.
Qed.

(** Weights that are not all 0 have a negative one, if need be after a change of signs. *)
Lemma some_negative (c : list Q) (nonzero : ~ is_zero c) :
  exists sign a, In a (times sign c) /\ a < 0.
Proof.
  induction c as [| a c IH]; [exfalso; apply nonzero; constructor |].
  destruct (Qeq_dec a 0) as [zero | not_zero].
  - destruct IH as [sign [b [known negative]]].
    { intro all; apply nonzero; constructor; assumption. }
    exists sign, b; split; [right; exact known | exact negative].
  - destruct (Qlt_le_dec a 0) as [low | high].
    + exists 1, (1 * a); split; [left; reflexivity | lra].
    + exists (-1), (-1 * a); split; [left; reflexivity |].
      assert (~ a == 0) by exact not_zero; destruct (Qlt_le_dec 0 a); lra.
Qed.

(** Theorem 3.7 (VC dimension), at most d through the origin: of any d + 1 points some labelling
    is that of no halfspace ⟨w,x⟩ ≥ 0. *)
Theorem not_shattered_through_origin (d : nat) (points : list vec)
  (dimension : forall x, In x points -> length x = d)
  (many : length points = (d + 1)%nat) :
  exists labels, length labels = length points /\ forall w, ~ has_labels w 0 labels points.
Proof.
  destruct (dependent d points dimension ltac:(lia)) as [c0 [long0 [nonzero zero]]].
  destruct (some_negative c0 nonzero) as [sign some].
  set (c := times sign c0) in *.
  assert (long : length c = length points) by (unfold c, times; rewrite map_length; exact long0).
  exists (map (Qle_bool 0) c); split; [rewrite map_length; exact long |].
  intros w agrees.
  (* Σ cᵢ⟨w,xᵢ⟩ = 0, yet every term is at least 0 and one is positive *)
  assert (value : dot c (map (dot w) points) == 0).
  { unfold c; rewrite dot_times_l, <- dot_mix, (dot_comm w), dot_zero by exact zero; ring. }
  assert (0 < dot c (map (dot w) points)); [| lra].
  apply some_product; [rewrite map_length; exact long | | exact some].
  clear - agrees long; revert points long agrees.
  induction c as [| a c IH]; intros [| x points] long agrees b k known;
    try destruct known as [first | later]; try discriminate; try contradiction.
  - injection first as <- <-; pose proof (agrees _ _ (or_introl eq_refl)) as label.
    destruct (Qle_bool 0 a); [apply label; reflexivity |].
    destruct (Qlt_le_dec (dot w x) 0) as [low | high]; [exact low |].
    apply label in high; discriminate.
  - apply (IH points); [simpl in long; lia | | exact later].
    intros l' x' inside; apply agrees; right; exact inside.
Qed.

(** ** At least, by the axes e₁, …, e_d *)

Definition sign (l : bool) : Q := if l then 1 else -1.

(** Weights f(l₁), …, f(l_d) give the axis with label l the score f(l). *)
Lemma axes_scores (f : bool -> Q) (labels : list bool) (l : bool) (x : vec)
  (known : In (l, x) (combine labels (axes (length labels)))) :
  dot (map f labels) x == f l.
Proof.
  revert l x known; induction labels as [| l0 labels IH]; intros l x known; [destruct known |].
  destruct known as [first | later].
  - injection first as <- <-; cbn [map]; rewrite dot_cons, dot_comm, dot_zero by apply zero_repeat.
    ring.
  - assert (behind : exists x', x = 0 :: x' /\ In (l, x') (combine labels (axes (length labels)))).
    { clear - later; revert later; generalize (axes (length labels)) as points.
      induction labels as [| l' labels IH]; intros [| x' points] later; try contradiction.
      destruct later as [first | later].
      - injection first as <- <-; exists x'; split; [reflexivity | left; reflexivity].
      - destruct (IH points later) as [x'' [equal inside]]; exists x''; split; [exact equal |].
        right; exact inside. }
    destruct behind as [x' [-> inside]]; cbn [map]; rewrite dot_cons, (IH l x' inside); ring.
Qed.

(** Theorem 3.7 (VC dimension), at least d through the origin: the axes get any labels, from
    w = (y₁, …, y_d). *)
Theorem shattered_through_origin (d : nat) (labels : list bool)
  (one_each : length labels = d) :
  has_labels (map sign labels) 0 labels (axes d).
Proof.
  intros l x known; rewrite <- one_each in known; rewrite (axes_scores sign labels l x known).
  destruct l; simpl; split; intro; (reflexivity || discriminate || lra).
Qed.

(** Theorem 3.7 (VC dimension), at least d + 1: 0 and the axes get any labels y₀, …, y_d, from
    b = −y₀ and wᵢ = yᵢ − y₀. *)
Theorem shattered (d : nat) (l0 : bool) (labels : list bool)
  (one_each : length labels = d) :
  has_labels (map (fun l => sign l - sign l0) labels) (- sign l0)
             (l0 :: labels) (repeat 0 d :: axes d).
Proof.
  intros l x known; destruct known as [first | later].
  - injection first as <- <-; rewrite dot_comm, dot_zero by apply zero_repeat.
    destruct l0; simpl; split; intro; (reflexivity || discriminate || lra).
  - rewrite <- one_each in later.
    rewrite (axes_scores (fun l => sign l - sign l0) labels l x later).
    destruct l, l0; simpl; split; intro; (reflexivity || discriminate || lra).
Qed.
