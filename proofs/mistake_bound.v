(** * The mistake bound (notebook 05)

    As there, label and point are folded into one vector, z = yx: a mistake is a z with
    ⟨w,z⟩ ≤ 0, a tie included, and the update is w + z. [g] stands for γ̂, the least ⟨w*,z⟩ that
    is promised, and [R2] for R². *)

From Halfspaces Require Import vectors.

(** What has become of w after updates on all of [picks], in this order. *)
Fixpoint after (w : vec) (picks : list vec) : vec :=
  match picks with
  | [] => w
  | z :: rest => after (plus w z) rest
  end.

(** Each of [picks] was a mistake when it was picked. Who picks, and why, is left open. *)
Fixpoint all_mistakes (w : vec) (picks : list vec) : Prop :=
  match picks with
  | [] => True
  | z :: rest => dot w z <= 0 /\ all_mistakes (plus w z) rest
  end.

(** ** The lemmas *)

(** What the induction needs: progress from any start. *)
Lemma progress_from (w w_star : vec) (g : Q) (picks : list vec)
  (margin : forall z, In z picks -> g <= dot w_star z) :
  dot w w_star + of_nat (length picks) * g <= dot (after w picks) w_star.
Proof.
  revert w; induction picks as [| z rest IH]; intro w; simpl length; simpl after.
  - change (of_nat 0) with 0; lra.
  - pose proof (margin z (or_introl eq_refl)) as gain.
    pose proof (IH (fun z' later => margin z' (or_intror later)) (plus w z)) as later.
    rewrite dot_plus_l, (dot_comm z) in later; rewrite of_nat_S; lra.
Qed.

(** Lemma 5.2 (progress): after t updates, tγ̂ ≤ ⟨w,w*⟩. That they were mistakes is not used. *)
Theorem progress (w_star : vec) (g : Q) (picks : list vec)
  (margin : forall z, In z picks -> g <= dot w_star z) :
  of_nat (length picks) * g <= dot (after [] picks) w_star.
Proof. pose proof (progress_from [] w_star g picks margin); simpl dot in *; lra. Qed.

(** What the induction needs: length from any start. *)
Lemma length_from (w : vec) (R2 : Q) (picks : list vec)
  (mistakes : all_mistakes w picks)
  (radius : forall z, In z picks -> norm2 z <= R2) :
  norm2 (after w picks) <= norm2 w + of_nat (length picks) * R2.
Proof.
  revert w mistakes; induction picks as [| z rest IH]; intros w mistakes.
  - simpl length; simpl after; change (of_nat 0) with 0; lra.
  - destruct mistakes as [mistake mistakes].
    pose proof (radius z (or_introl eq_refl)) as short.
    pose proof (IH (fun z' later => radius z' (or_intror later)) _ mistakes) as later.
    (* ‖w + z‖² = ‖w‖² + 2⟨w,z⟩ + ‖z‖², and the term in the middle is at most 0 *)
    rewrite norm2_plus in later; simpl length; simpl after; rewrite of_nat_S; lra.
Qed.

(** Lemma 5.3 (length): after t updates, all of them on mistakes, ‖w‖² ≤ tR². *)
Theorem stays_short (R2 : Q) (picks : list vec)
  (mistakes : all_mistakes [] picks)
  (radius : forall z, In z picks -> norm2 z <= R2) :
  norm2 (after [] picks) <= of_nat (length picks) * R2.
Proof.
  pose proof (length_from [] R2 picks mistakes radius) as bound.
  change (norm2 []) with 0 in bound; lra.
Qed.

(** Lemma 5.4 (Cauchy–Schwarz), without roots: ⟨u,v⟩² ≤ ‖u‖²‖v‖². *)
Theorem cauchy_schwarz (u v : vec) : dot u v * dot u v <= norm2 u * norm2 v.
Proof.
  (* 0 ≤ ‖ ‖v‖²u − ⟨u,v⟩v ‖² = ‖v‖² (‖u‖²‖v‖² − ⟨u,v⟩²): what is left of u when its part
     along v is taken away *)
  pose proof (norm2_nonneg (minus (times (norm2 v) u) (times (dot u v) v))) as rest.
  rewrite norm2_minus, !norm2_times, dot_times_l, dot_times_r in rest.
  destruct (Qlt_le_dec 0 (norm2 v)) as [long | short].
  - nra.
  - (* v = 0 *)
    pose proof (norm2_nonneg v); assert (E : norm2 v == 0) by lra.
    rewrite (dot_comm u), (dot_zero v u (norm2_zero v E)), E; lra.
Qed.

(** ** Novikoff's theorem *)

(** The squeeze: tγ̂ ≤ ⟨w,w*⟩ ≤ ‖w‖‖w*‖ ≤ R√t‖w*‖, squared and divided by t. *)
Lemma squeeze (w_star : vec) (g R2 : Q) (picks : list vec)
  (positive : 0 < g)
  (margin : forall z, In z picks -> g <= dot w_star z)
  (radius : forall z, In z picks -> norm2 z <= R2)
  (square : 0 <= R2)
  (mistakes : all_mistakes [] picks) :
  of_nat (length picks) <= R2 * norm2 w_star / (g * g).
Proof.
  apply Qle_shift_div_l; [nra |].
  pose proof (progress w_star g picks margin) as far.
  pose proof (stays_short R2 picks mistakes radius) as short.
  pose proof (cauchy_schwarz (after [] picks) w_star) as cs.
  pose proof (norm2_nonneg w_star) as star.
  pose proof (of_nat_nonneg (length picks)) as count.
  set (t := of_nat (length picks)) in *; set (w := after [] picks) in *.
  assert (reach : 0 <= t * g) by nra.
  assert (left_end : t * g * (t * g) <= dot w w_star * dot w w_star) by nra.
  assert (right_end : norm2 w * norm2 w_star <= t * R2 * norm2 w_star) by nra.
  destruct (Qlt_le_dec 0 t) as [some | none].
  - apply Qmult_le_l with t; [exact some | lra].
  - assert (t0 : t == 0) by lra; rewrite t0; nra.
Qed.

(** A run on finitely many data: picks from them, each a mistake when it was picked. *)
Definition run (data picks : list vec) : Prop := incl picks data /\ all_mistakes [] picks.

(** Theorem 5.1 (Novikoff), first half: whatever the order, at most (R/γ)² = R²‖w*‖²/γ̂²
    updates. *)
Theorem novikoff (w_star : vec) (g R2 : Q) (data picks : list vec)
  (positive : 0 < g)
  (margin : forall z, In z data -> g <= dot w_star z)
  (radius : forall z, In z data -> norm2 z <= R2)
  (square : 0 <= R2)
  (is_run : run data picks) :
  of_nat (length picks) <= R2 * norm2 w_star / (g * g).
Proof.
  destruct is_run as [from mistakes].
  apply squeeze; auto.
Qed.

(** Theorem 5.1 (Novikoff), where a run stands still: either some z can be picked as a mistake,
    or w separates the data. *)
Theorem mistake_or_done (w : vec) (data : list vec) :
  (exists z, In z data /\ dot w z <= 0) \/ separates w data.
Proof.
  induction data as [| z rest IH]; [right; intros z [] |].
  destruct (Qlt_le_dec 0 (dot w z)) as [right_side | wrong].
  - destruct IH as [[z' [later wrong]] | done].
    + left; exists z'; split; [right; exact later | exact wrong].
    + right; intros z' [<- | later]; [exact right_side | exact (done z' later)].
  - left; exists z; split; [left; reflexivity | exact wrong].
Qed.

Lemma after_app (w : vec) (picks more : list vec) :
  after w (picks ++ more) = after (after w picks) more.
Proof. revert w; induction picks; simpl; auto. Qed.

Lemma all_mistakes_app (w : vec) (picks more : list vec)
  (before : all_mistakes w picks) (then_more : all_mistakes (after w picks) more) :
  all_mistakes w (picks ++ more).
Proof.
  revert w before then_more; induction picks; simpl; intros w before then_more; [exact then_more |].
  split; [apply before | apply IHpicks; [apply before | exact then_more]].
Qed.

(** A whole number above any rational one. *)
Lemma archimedes (q : Q) : exists n, q < of_nat n.
Proof.
  exists (S (Z.to_nat (Qceiling q))); rewrite of_nat_S.
  pose proof (Qle_ceiling q) as up.
  assert (inject_Z (Qceiling q) <= of_nat (Z.to_nat (Qceiling q))) by
    (unfold of_nat; rewrite <- Zle_Qle; lia).
  lra.
Qed.

(** Theorem 5.1 (Novikoff), second half: every run, continued while there are mistakes, ends at
    a w that separates the data. *)
Theorem novikoff_ends (w_star : vec) (g R2 : Q) (data picks : list vec)
  (positive : 0 < g)
  (margin : forall z, In z data -> g <= dot w_star z)
  (radius : forall z, In z data -> norm2 z <= R2)
  (square : 0 <= R2)
  (is_run : run data picks) :
  exists more, run data (picks ++ more) /\ separates (after [] (picks ++ more)) data.
Proof.
  destruct (archimedes (R2 * norm2 w_star / (g * g))) as [most above].
  (* With k updates left at most, another mistake leaves k − 1. *)
  assert (goes_on : forall k picks, run data picks -> (most <= k + length picks)%nat ->
    exists more, run data (picks ++ more) /\ separates (after [] (picks ++ more)) data).
  { induction k as [| k IH]; intros now is_run_now room.
    - pose proof (novikoff w_star g R2 data now positive margin radius square is_run_now) as few.
      assert (of_nat most <= of_nat (length now)) by (unfold of_nat; rewrite <- Zle_Qle; lia).
      lra.
    - destruct (mistake_or_done (after [] now) data) as [[z [known wrong]] | done].
      + destruct (IH (now ++ [z])) as [more [good done]].
        * destruct is_run_now as [from mistakes]; split.
          -- apply incl_app; [exact from | intros z' [<- | []]; exact known].
          -- apply all_mistakes_app; simpl; auto.
        * rewrite app_length; simpl; lia.
        * exists (z :: more); rewrite <- app_assoc in good, done; auto.
      + exists []; rewrite app_nil_r; auto. }
  apply (goes_on most picks is_run); lia.
Qed.

(** ** Any stream *)

(** The points of a stream on which the perceptron errs, from a given w. *)
Fixpoint mistakes_on (w : vec) (stream : list vec) : list vec :=
  match stream with
  | [] => []
  | z :: rest => if Qle_bool (dot w z) 0 then z :: mistakes_on (plus w z) rest
                 else mistakes_on w rest
  end.

Lemma mistakes_on_spec (w : vec) (stream : list vec) :
  incl (mistakes_on w stream) stream /\ all_mistakes w (mistakes_on w stream).
Proof.
  revert w; induction stream as [| z rest IH]; intro w; simpl.
  - split; [apply incl_refl | exact I].
  - destruct (Qle_bool (dot w z) 0) eqn:test.
    + destruct (IH (plus w z)) as [from mistakes]; split.
      * apply incl_cons; [left; reflexivity | apply incl_tl, from].
      * split; [apply Qle_bool_iff, test | exact mistakes].
    + destruct (IH w) as [from mistakes]; split; [apply incl_tl, from | exact mistakes].
Qed.

(** Theorem 5.1 (any stream): shown points without end, of any dimension and in any order, even
    by an opponent who sees w, the perceptron errs at most (R/γ)² times among the first n,
    for every n. *)
Theorem novikoff_stream (w_star : vec) (g R2 : Q) (stream : nat -> vec) (n : nat)
  (positive : 0 < g)
  (margin : forall i, g <= dot w_star (stream i))
  (radius : forall i, norm2 (stream i) <= R2) :
  of_nat (length (mistakes_on [] (map stream (seq 0 n)))) <= R2 * norm2 w_star / (g * g).
Proof.
  destruct (mistakes_on_spec [] (map stream (seq 0 n))) as [from mistakes].
  apply squeeze; auto.
  - intros z known; apply from, in_map_iff in known; destruct known as [i [<- _]]; apply margin.
  - intros z known; apply from, in_map_iff in known; destruct known as [i [<- _]]; apply radius.
  - pose proof (norm2_nonneg (stream 0%nat)); pose proof (radius 0%nat); lra.
Qed.

(** ** Another start, another step *)

Fixpoint after_steps (eta : Q) (w : vec) (picks : list vec) : vec :=
  match picks with
  | [] => w
  | z :: rest => after_steps eta (plus w (times eta z)) rest
  end.

Fixpoint all_mistakes_steps (eta : Q) (w : vec) (picks : list vec) : Prop :=
  match picks with
  | [] => True
  | z :: rest => dot w z <= 0 /\ all_mistakes_steps eta (plus w (times eta z)) rest
  end.

(** Steps ηz are steps of length 1 on the data ηz: the two lemmas are there already. *)
Lemma after_steps_scaled (eta : Q) (w : vec) (picks : list vec) :
  after_steps eta w picks = after w (map (times eta) picks).
Proof. revert w; induction picks; simpl; auto. Qed.

Lemma mistakes_scaled (eta : Q) (w : vec) (picks : list vec)
  (step : 0 < eta) (mistakes : all_mistakes_steps eta w picks) :
  all_mistakes w (map (times eta) picks).
Proof.
  revert w mistakes; induction picks as [| z rest IH]; simpl; auto.
  intros w [mistake mistakes]; split; [rewrite dot_times_r; nra | auto].
Qed.

(** The squeeze once more, now with a start that may point the wrong way. All is in units of
    the step: p = ⟨w₀,w*⟩, M = ‖w₀‖²‖w*‖², x = tη. *)
Lemma squeeze_from (p M x g E : Q)
  (start : p * p <= M) (positive : 0 < g)
  (excess : 0 <= E) (less : E <= x * (g * g))
  (squared : 0 <= p + x * g -> (p + x * g) * (p + x * g) <= M + x * g * (x * g) - x * E) :
  E * E <= 4 * (g * g) * M.
Proof.
  set (a := x * g) in *.
  destruct (Qlt_le_dec M (a * a)) as [late | early].
  - (* |p| < a, so p + a > 0, and xE ≤ M − p² − 2pa, whose square is at most 4a²M *)
    assert (a0 : 0 <= a) by (unfold a; nra).
    assert (near : - a <= p /\ p <= a) by (split; nra).
    assert (x0 : 0 < x) by (destruct (Qlt_le_dec 0 x); [assumption |]; unfold a in *; nra).
    assert (linear : x * E <= M - p * p - 2 * p * a) by (pose proof (squared ltac:(lra)); nra).
    assert (slack : 0 <= (M - p * p) * (4 * (a * a) - (M - p * p) + 4 * (p * a))).
    { apply Qmult_le_0_compat; [lra |].
      assert (0 <= (3 * a + p) * (a + p)) by (apply Qmult_le_0_compat; lra); nra. }
    assert (xE : 0 <= x * E) by nra.
    assert (both : x * E * (x * E) <= 4 * (a * a) * M) by nra.
    assert (E2 : (x * x) * (E * E) <= (x * x) * (4 * (g * g) * M)) by (unfold a in both; nra).
    apply Qmult_le_l with (x * x); [nra | exact E2].
  - (* so few updates that there is nothing to prove: E² ≤ a²γ̂² ≤ Mγ̂² *)
    assert (E <= a * g) by (unfold a; lra).
    assert (E * E <= a * g * (a * g)) by nra.
    assert (0 <= (g * g) * (M - a * a)) by (apply Qmult_le_0_compat; nra).
    assert (0 <= M * (g * g)) by (apply Qmult_le_0_compat; nra).
    lra.
Qed.

(** Proposition 5b.5 (start and step): from any w₀ and with steps ηz there are at most
    (R/γ)² + 2‖w₀‖/(ηγ) mistakes, which is R²‖w*‖²/γ̂² + 2‖w₀‖‖w*‖/(ηγ̂). For the product of
    the lengths, a root, stands any rational number [p] that is not below it. *)
Theorem start_and_step (w0 w_star : vec) (eta g R2 p : Q) (picks : list vec)
  (step : 0 < eta)
  (positive : 0 < g)
  (margin : forall z, In z picks -> g <= dot w_star z)
  (radius : forall z, In z picks -> norm2 z <= R2)
  (square : 0 <= R2)
  (mistakes : all_mistakes_steps eta w0 picks)
  (root : 0 <= p)
  (root_above : norm2 w0 * norm2 w_star <= p * p) :
  of_nat (length picks) <= R2 * norm2 w_star / (g * g) + 2 * p / (eta * g).
Proof.
  assert (margin' : forall z, In z (map (times eta) picks) -> eta * g <= dot w_star z).
  { intros z' known; apply in_map_iff in known; destruct known as [z [<- known]].
    rewrite dot_times_r; pose proof (margin z known); nra. }
  assert (radius' : forall z, In z (map (times eta) picks) -> norm2 z <= eta * eta * R2).
  { intros z' known; apply in_map_iff in known; destruct known as [z [<- known]].
    rewrite norm2_times; pose proof (radius z known); nra. }
  pose proof (progress_from w0 w_star _ _ margin') as far.
  pose proof (length_from w0 _ _ (mistakes_scaled _ _ _ step mistakes) radius') as short.
  rewrite map_length in far, short.
  pose proof (cauchy_schwarz (after w0 (map (times eta) picks)) w_star) as cs.
  pose proof (cauchy_schwarz w0 w_star) as cs0.
  pose proof (norm2_nonneg w_star) as star.
  pose proof (of_nat_nonneg (length picks)) as count.
  set (t := of_nat (length picks)) in *.
  set (w := after w0 (map (times eta) picks)) in *.
  set (s := norm2 w_star) in *.
  set (E := eta * (t * (g * g) - R2 * s)).
  assert (enough : E <= 2 * g * p).
  { destruct (Qlt_le_dec 0 E) as [too_many | few]; [| nra].
    assert (squares : E * E <= 4 * (g * g) * (norm2 w0 * s)).
    { apply squeeze_from with (p := dot w0 w_star) (x := eta * t).
      - exact cs0.
      - exact positive.
      - lra.
      - unfold E; assert (0 <= eta * (R2 * s)) by (repeat apply Qmult_le_0_compat; lra); lra.
      - intro ahead.
        assert (dot w0 w_star + eta * t * g <= dot w w_star) by lra.
        assert (norm2 w * s <= (norm2 w0 + t * (eta * eta * R2)) * s) by nra.
        unfold E; nra. }
    assert (0 <= (g * g) * (p * p - norm2 w0 * s)) by (apply Qmult_le_0_compat; nra).
    assert (0 <= g * p) by nra.
    destruct (Qlt_le_dec (2 * g * p) E) as [above | below]; [| exact below].
    exfalso; assert (2 * g * p * (2 * g * p) < E * E) by nra; lra. }
  (* divide by ηγ̂² *)
  assert (sum_of : R2 * s / (g * g) + 2 * p / (eta * g)
                   == (eta * (R2 * s) + 2 * g * p) / (eta * (g * g))) by (field; lra).
  rewrite sum_of; apply Qle_shift_div_l; [repeat apply Qmult_lt_0_compat; lra |].
  unfold E in enough; lra.
Qed.

(** ** The bound is attained *)

(** e₁, …, eₙ, the axes of the space of dimension n. *)
Fixpoint axes (n : nat) : list vec :=
  match n with
  | O => []
  | S m => (1 :: repeat 0 m) :: map (cons 0) (axes m)
  end.

(** w* = (1, …, 1). *)
Definition ones (n : nat) : vec := repeat 1 n.

(** A first coordinate that all points lack changes no mistake. *)
Lemma mistakes_on_later (a : Q) (w : vec) (stream : list vec) :
  mistakes_on (a :: w) (map (cons 0) stream) = map (cons 0) (mistakes_on w stream).
Proof.
  revert a w; induction stream as [| z rest IH]; intros a w; simpl; [reflexivity |].
  assert (E : a * 0 + dot w z == dot w z) by ring.
  destruct (Qle_bool (dot w z) 0) eqn:test.
  - replace (Qle_bool (a * 0 + dot w z) 0) with true; [simpl; rewrite IH; reflexivity |].
    symmetry; apply Qle_bool_iff; apply Qle_bool_iff in test; lra.
  - destruct (Qle_bool (a * 0 + dot w z) 0) eqn:test'; [exfalso | apply IH].
    apply Qle_bool_iff in test'; rewrite E in test'; apply Qle_bool_iff in test'; congruence.
Qed.

(** From a zero vector every axis is a mistake: a tie, since w has not been there yet. *)
Lemma axes_all_mistakes (n : nat) (w : vec) (zero : is_zero w) :
  mistakes_on w (axes n) = axes n.
Proof.
  revert w zero; induction n as [| n IH]; intros w zero; simpl; [reflexivity |].
  replace (Qle_bool (dot w (1 :: repeat 0 n)) 0) with true.
  - destruct zero as [| a w a0 zero]; simpl; rewrite mistakes_on_later, IH; auto using zero_repeat.
    apply zero_plus; auto using zero_repeat.
  - symmetry; apply Qle_bool_iff; rewrite dot_zero; auto; lra.
Qed.

(** Section 5.6 (the axes): the stream e₁, …, eₙ makes n mistakes; and with w* = (1, …, 1) it
    has γ̂ = 1, R² = 1 and ‖w*‖² = n, so that the bound R²‖w*‖²/γ̂² is n too. *)
Theorem axes_are_tight (n : nat) :
  length (mistakes_on [] (axes n)) = n
  /\ (forall z, In z (axes n) -> length z = n /\ dot (ones n) z == 1 /\ norm2 z == 1)
  /\ 1 * norm2 (ones n) / (1 * 1) == of_nat n.
Proof.
  rewrite axes_all_mistakes by constructor; split; [| split].
  - induction n; simpl; [| rewrite map_length; f_equal; apply IHn].
    reflexivity.
  - induction n as [| n IH]; intros z known; [destruct known |].
    destruct known as [<- | known].
    + simpl; rewrite repeat_length; unfold norm2; simpl.
      rewrite (dot_comm (ones n)), !dot_zero by apply zero_repeat.
      repeat split; ring.
    + apply in_map_iff in known; destruct known as [z' [<- known]].
      destruct (IH z' known) as [dim [one unit]]; unfold norm2 in *; simpl; rewrite dim, one, unit.
      repeat split; ring.
  - setoid_replace (1 * norm2 (ones n) / (1 * 1)) with (norm2 (ones n)) by field.
    unfold norm2; induction n as [| n IH]; [reflexivity |].
    simpl; fold (ones n); rewrite IH, of_nat_S; ring.
Qed.
