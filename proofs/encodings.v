(** * Formulas as halfspaces (notebook 02)

    Here all numbers are whole. A literal is a signed index, as in DIMACS and in
    [halfspaces.boolean]: 3 is x₃ and −3 is ¬x₃. The weights are those that the library
    computes, and they are right at every corner of the cube, for every d. *)

From Coq Require Import ZArith List Lia Bool.
Import ListNotations.
Open Scope Z_scope.

(** A corner of the cube, as truth values. *)
Definition corner := list bool.

Definition bit (t : bool) : Z := if t then 1 else 0.

(** The score ⟨w,x⟩. *)
Fixpoint score (w : list Z) (x : corner) : Z :=
  match w, x with
  | a :: w', t :: x' => a * bit t + score w' x'
  | _, _ => 0
  end.

(** The variable of a literal, counted from 0, and whether the literal holds at x. *)
Definition variable (v : Z) : nat := Nat.pred (Z.to_nat (Z.abs v)).

Definition holds (x : corner) (v : Z) : bool :=
  let t := nth (variable v) x false in if 0 <? v then t else negb t.

(** Add c to the weight of variable i. *)
Fixpoint add_at (i : nat) (c : Z) (w : list Z) : list Z :=
  match i, w with
  | O, a :: w' => a + c :: w'
  | S j, a :: w' => a :: add_at j c w'
  | _, [] => []
  end.

Lemma score_add_at (i : nat) (c : Z) (w : list Z) (x : corner)
  (dimension : length w = length x) :
  score (add_at i c w) x = score w x + c * bit (nth i x false).
Proof.
  revert w x dimension; induction i as [| i IH]; intros [| a w] [| t x] dimension;
    simpl in *; try discriminate; try (simpl; lia).
  rewrite IH by lia; lia.
Qed.

Lemma length_add_at (i : nat) (c : Z) (w : list Z) : length (add_at i c w) = length w.
Proof. revert w; induction i; intros [| a w]; simpl; auto. Qed.

(** A vote of c for a literal: c if x holds, and for ¬x, which is 1 − x, −c and a constant c. *)
Definition vote (c v : Z) (w : list Z) : list Z :=
  add_at (variable v) (if 0 <? v then c else - c) w.

Definition constant (c v : Z) : Z := if 0 <? v then 0 else c.

Lemma score_vote (c v : Z) (w : list Z) (x : corner) (dimension : length w = length x) :
  score (vote c v w) x + constant c v = score w x + c * bit (holds x v).
Proof.
  unfold vote, constant, holds; rewrite score_add_at by exact dimension.
  destruct (0 <? v), (nth (variable v) x false); simpl; lia.
Qed.

Lemma length_vote (c v : Z) (w : list Z) : length (vote c v w) = length w.
Proof. apply length_add_at. Qed.

Lemma score_zeros (d : nat) (x : corner) : score (repeat 0 d) x = 0.
Proof. revert x; induction d; intros [| t x]; simpl; auto. Qed.

(** ** Counting literals *)

(** The weights of [AtLeast]: +1 for a literal x, −1 for ¬x. *)
Definition literal_weights (literals : list Z) (d : nat) : list Z :=
  fold_right (vote 1) (repeat 0 d) literals.

(** r, the number of negated literals. *)
Definition negated (literals : list Z) : Z :=
  fold_right (fun v r => constant 1 v + r) 0 literals.

(** How many of the literals hold. *)
Definition how_many (literals : list Z) (x : corner) : Z :=
  fold_right (fun v n => bit (holds x v) + n) 0 literals.

(** The number of literals that hold is ⟨w,x⟩ + r. *)
Lemma count_literals (literals : list Z) (d : nat) (x : corner) (dimension : length x = d) :
  length (literal_weights literals d) = d
  /\ score (literal_weights literals d) x + negated literals = how_many literals x.
Proof.
  induction literals as [| v literals [long IH]]; simpl.
  - rewrite repeat_length, score_zeros; split; [reflexivity | lia].
  - unfold literal_weights in *; simpl.
    pose proof (score_vote 1 v (fold_right (vote 1) (repeat 0 d) literals) x ltac:(lia)).
    rewrite length_vote; split; [exact long | lia].
Qed.

(** Proposition 2.2 (at least k literals): k of them hold if and only if ⟨w,x⟩ ≥ k − r. *)
Theorem at_least (literals : list Z) (k : Z) (d : nat) (x : corner)
  (dimension : length x = d) :
  k <= how_many literals x <-> k - negated literals <= score (literal_weights literals d) x.
Proof. destruct (count_literals literals d x dimension) as [_ count]; lia. Qed.

Definition conjunction (literals : list Z) (x : corner) : bool := forallb (holds x) literals.
Definition disjunction (literals : list Z) (x : corner) : bool := existsb (holds x) literals.

Lemma how_many_bounds (literals : list Z) (x : corner) :
  0 <= how_many literals x <= Z.of_nat (length literals).
Proof.
  induction literals as [| v literals IH]; simpl length; simpl how_many; [lia |].
  destruct (holds x v); simpl bit; lia.
Qed.

(** Proposition 2.2 (conjunction): the threshold is s − r, s being the number of literals. *)
Theorem conjunction_is_halfspace (literals : list Z) (d : nat) (x : corner)
  (dimension : length x = d) :
  conjunction literals x = true
  <-> Z.of_nat (length literals) - negated literals <= score (literal_weights literals d) x.
Proof.
  rewrite <- at_least by exact dimension; unfold conjunction; clear dimension.
  induction literals as [| v literals IH]; simpl forallb; simpl length; simpl how_many.
  - simpl; intuition lia.
  - pose proof (how_many_bounds literals x); rewrite andb_true_iff, IH.
    destruct (holds x v); simpl bit; intuition (try lia; try discriminate).
Qed.

(** Proposition 2.2 (disjunction): the threshold is 1 − r. *)
Theorem disjunction_is_halfspace (literals : list Z) (d : nat) (x : corner)
  (dimension : length x = d) :
  disjunction literals x = true
  <-> 1 - negated literals <= score (literal_weights literals d) x.
Proof.
  rewrite <- at_least by exact dimension; unfold disjunction; clear dimension.
  induction literals as [| v literals IH]; simpl existsb; simpl how_many.
  - intuition (try lia; try discriminate).
  - pose proof (how_many_bounds literals x); rewrite orb_true_iff, IH.
    destruct (holds x v); simpl bit; intuition (try lia; try discriminate).
Qed.

(** ** Decision lists *)

(** Rules "if this literal holds, then this output", and the default at the end. *)
Definition rules := list (Z * bool).

Fixpoint decide (rs : rules) (default : bool) (x : corner) : bool :=
  match rs with
  | [] => default
  | (v, o) :: rest => if holds x v then o else decide rest default x
  end.

Definition sign (o : bool) : Z := if o then 1 else -1.

(** The rule with j − 1 rules below it votes ±2ʲ, the default ±1. *)
Definition power (below : rules) : Z := 2 ^ Z.of_nat (S (length below)).

Fixpoint list_weights (rs : rules) (d : nat) : list Z :=
  match rs with
  | [] => repeat 0 d
  | (v, o) :: rest => vote (sign o * power rest) v (list_weights rest d)
  end.

Fixpoint list_constant (rs : rules) (default : bool) : Z :=
  match rs with
  | [] => sign default
  | (v, o) :: rest => constant (sign o * power rest) v + list_constant rest default
  end.

(** The sum of the votes, S(x) of the theorem. *)
Fixpoint votes (rs : rules) (default : bool) (x : corner) : Z :=
  match rs with
  | [] => sign default
  | (v, o) :: rest => sign o * power rest * bit (holds x v) + votes rest default x
  end.

Lemma score_is_votes (rs : rules) (default : bool) (d : nat) (x : corner)
  (dimension : length x = d) :
  length (list_weights rs d) = d
  /\ score (list_weights rs d) x + list_constant rs default = votes rs default x.
Proof.
  induction rs as [| [v o] rest [long IH]]; cbn [list_weights list_constant votes].
  - rewrite repeat_length, score_zeros; split; [reflexivity | lia].
  - pose proof (score_vote (sign o * power rest) v (list_weights rest d) x ltac:(lia)).
    rewrite length_vote; split; [exact long | lia].
Qed.

(** All votes from a rule on are fewer than twice its own: 2ʲ⁻¹ + … + 2 + 1 < 2ʲ. *)
Lemma votes_bounds (rs : rules) (default : bool) (x : corner) :
  - power rs < votes rs default x < power rs.
Proof.
  induction rs as [| [v o] rest IH]; cbn [votes].
  - destruct default; simpl; unfold power; simpl; lia.
  - assert (twice : power ((v, o) :: rest) = 2 * power rest).
    { unfold power; simpl length; rewrite (Nat2Z.inj_succ (S (length rest))).
      rewrite Z.pow_succ_r by lia; reflexivity. }
    rewrite twice; destruct o, (holds x v); simpl sign; simpl bit; lia.
Qed.

(** The votes are never 0 and have the sign of the output. *)
Lemma votes_sign (rs : rules) (default : bool) (x : corner) :
  0 < sign (decide rs default x) * votes rs default x.
Proof.
  induction rs as [| [v o] rest IH]; cbn [votes decide].
  - destruct default; simpl; lia.
  - pose proof (votes_bounds rest default x).
    destruct (holds x v); simpl bit; [| rewrite Z.mul_0_r; exact IH].
    destruct o; simpl sign; lia.
Qed.

(** Theorem 2.4 (decision lists are halfspaces): the list says 1 at x if and only if
    S(x) ≥ 0, which is ⟨w,x⟩ ≥ b with the library's w and b = −(the constants). *)
Theorem decision_list_is_halfspace (rs : rules) (default : bool) (d : nat) (x : corner)
  (dimension : length x = d) :
  (decide rs default x = true <-> 0 <= votes rs default x)
  /\ (decide rs default x = true
      <-> - list_constant rs default <= score (list_weights rs d) x).
Proof.
  destruct (score_is_votes rs default d x dimension) as [_ same].
  pose proof (votes_sign rs default x) as right_side.
  destruct (decide rs default x); simpl sign in right_side; intuition (try lia; try discriminate).
Qed.

(** Lemma 2b.5 (the other side, and elbow room): for whole numbers ⟨w,x⟩ < b means
    ⟨−w,x⟩ ≥ 1 − b; and (2w, 2b − 1) labels as (w, b) does, with no score of 0. *)
Theorem other_side_and_elbow_room (w : list Z) (b : Z) (x : corner) :
  (score w x < b <-> 1 - b <= score (map Z.opp w) x)
  /\ (b <= score w x <-> 2 * b - 1 <= score (map (Z.mul 2) w) x)
  /\ score (map (Z.mul 2) w) x <> 2 * b - 1.
Proof.
  assert (scaled : forall c, score (map (Z.mul c) w) x = c * score w x).
  { intro c; revert x; induction w as [| a w IH]; intros [| t x]; simpl; rewrite ?IH; lia. }
  assert (opposite : score (map Z.opp w) x = - score w x).
  { clear; revert x; induction w as [| a w IH]; intros [| t x]; simpl; rewrite ?IH; lia. }
  rewrite opposite, scaled; lia.
Qed.
