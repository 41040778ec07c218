(** * Separability and its certificates (notebook 03)

    An answer "these data can be separated" comes with a separator, an answer "they cannot" with
    weights. Here is why each of them settles the question, and why d + 2 points of a space of
    dimension d can always be labelled so that no halfspace agrees (Radon). *)

From Halfspaces Require Import vectors.

(** Convex weights for n points: λ ≥ 0 with sum 1. *)
Definition convex (l : list Q) (n : nat) : Prop :=
  length l = n /\ Forall (fun c => 0 <= c) l /\ sum l == 1.

(** ** A weighted average lies between bounds *)

Lemma average_above (b : Q) (l scores : list Q)
  (equally_long : length l = length scores)
  (nonneg : Forall (fun c => 0 <= c) l)
  (above : forall s, In s scores -> b <= s) :
  b * sum l <= dot l scores.
Proof.
  revert scores equally_long above; induction nonneg as [| c l c0 _ IH];
    intros [| s scores] equally_long above; simpl in *; try discriminate; [lra |].
  pose proof (IH scores ltac:(lia) (fun s' later => above s' (or_intror later))).
  pose proof (above s (or_introl eq_refl)); nra.
Qed.

(** If the bound is strict and some weight is positive, it is strict for the average. *)
Lemma average_strictly_above (b : Q) (l scores : list Q)
  (equally_long : length l = length scores)
  (nonneg : Forall (fun c => 0 <= c) l)
  (some : 0 < sum l)
  (above : forall s, In s scores -> b < s) :
  b * sum l < dot l scores.
Proof.
  revert scores equally_long some above; induction nonneg as [| c l c0 nonneg IH];
    intros [| s scores] equally_long some above; simpl in *; try discriminate; try lra.
  pose proof (above s (or_introl eq_refl)) as first.
  assert (rest : b * sum l <= dot l scores).
  { apply average_above; [lia | exact nonneg |].
    intros s' later; pose proof (above s' (or_intror later)); lra. }
  destruct (Qlt_le_dec 0 c) as [positive | zero]; [nra |].
  assert (c == 0) by lra.
  pose proof (IH scores ltac:(lia) ltac:(lra) (fun s' later => above s' (or_intror later))).
  nra.
Qed.

(** ** Not both: a separator and weights that cancel *)

(** Through the origin, for z = yx: Σ λᵢzᵢ = 0 with convex weights. *)
Definition cancels (l : list Q) (zs : list vec) : Prop :=
  convex l (length zs) /\ is_zero (mix l zs).

(** Theorem 3.3 (Gordan), not both: weights that cancel exclude every separator, for
    0 = ⟨v, Σ λᵢzᵢ⟩ = Σ λᵢ⟨v,zᵢ⟩ > 0 otherwise. *)
Theorem weights_exclude_separators (l : list Q) (zs : list vec)
  (weights : cancels l zs) :
  forall v, ~ separates v zs.
Proof.
  intros v positive; destruct weights as [[long [nonneg total]] zero].
  assert (above : 0 * sum l < dot l (map (dot v) zs)).
  { apply average_strictly_above; [rewrite map_length; exact long | exact nonneg | lra |].
    intros s known; apply in_map_iff in known; destruct known as [z [<- known]].
    exact (positive z known). }
  rewrite <- dot_mix, dot_comm, dot_zero in above by exact zero; lra.
Qed.

(** Theorem 3.3 (Gordan), not both, read backwards: a separator excludes all such weights. *)
Theorem separator_excludes_weights (v : vec) (zs : list vec)
  (separator : separates v zs) :
  forall l, ~ cancels l zs.
Proof. intros l weights; exact (weights_exclude_separators l zs weights v separator). Qed.

(** ** With a threshold *)

(** Definition 3.1: y(⟨w,x⟩ − b) > 0 at every point. *)
Definition separates_at (w : vec) (b : Q) (data : labelled) : Prop :=
  forall x y, In (x, y) data -> 0 < y * (dot w x - b).

(** Σ λᵢyᵢ(xᵢ,−1) = 0 with convex weights; the last coordinate says Σ λᵢyᵢ = 0. *)
Definition cancels_at (l : list Q) (data : labelled) : Prop :=
  convex l (length data)
  /\ is_zero (mix l (folded data))
  /\ dot l (map snd data) == 0.

(** Theorem 3.3 (Gordan), with a threshold: weights that cancel exclude every halfspace. *)
Theorem weights_exclude_halfspaces (l : list Q) (data : labelled)
  (weights : cancels_at l data) :
  forall w b, ~ separates_at w b data.
Proof.
  intros w b positive; destruct weights as [[long [nonneg total]] [zero balance]].
  assert (above : 0 * sum l < dot l (map (fun p => snd p * (dot w (fst p) - b)) data)).
  { apply average_strictly_above; [rewrite map_length; exact long | exact nonneg | lra |].
    intros s known; apply in_map_iff in known; destruct known as [[x y] [<- known]].
    exact (positive x y known). }
  (* Σ λy(⟨w,x⟩ − b) = ⟨w, Σ λyx⟩ − b Σ λy *)
  assert (split : forall l, dot l (map (fun p => snd p * (dot w (fst p) - b)) data)
    == dot w (mix l (folded data)) - b * dot l (map snd data)).
  { clear; induction data as [| [x y] data IH]; intros [| c l]; simpl;
      try rewrite dot_nil_r; try ring.
    rewrite dot_plus_r, !dot_times_r, IH; ring. }
  rewrite split, (dot_comm w), dot_zero, balance in above by exact zero; lra.
Qed.

(** Theorem 3.3 (Gordan), with a threshold, read backwards: a halfspace excludes all such
    weights. *)
Theorem halfspace_excludes_weights (w : vec) (b : Q) (data : labelled)
  (separator : separates_at w b data) :
  forall l, ~ cancels_at l data.
Proof. intros l weights; exact (weights_exclude_halfspaces l data weights w b separator). Qed.

(** ** Hulls *)

(** q is a weighted average of the points. *)
Definition in_hull (q : vec) (points : list vec) : Prop :=
  exists l, convex l (length points) /\ same (mix l points) q.

(** The halfspace ⟨w,x⟩ ≥ b contains all of the first set and none of the second. *)
Definition splits (w : vec) (b : Q) (inside outside : list vec) : Prop :=
  (forall x, In x inside -> b <= dot w x) /\ (forall x, In x outside -> dot w x < b).

(** Corollary 3.4 (hulls): a point common to both hulls excludes every halfspace. *)
Theorem common_point_excludes_halfspaces (q : vec) (inside outside : list vec)
  (in_first : in_hull q inside)
  (in_second : in_hull q outside) :
  forall w b, ~ splits w b inside outside.
Proof.
  intros w b [high low].
  destruct in_first as [l [[long [nonneg total]] average]].
  destruct in_second as [l' [[long' [nonneg' total']] average']].
  pose proof (dot_same _ _ w average) as score.
  pose proof (dot_same _ _ w average') as score'.
  assert (b * sum l <= dot l (map (dot w) inside)).
  { apply average_above; [rewrite map_length; exact long | exact nonneg |].
    intros s known; apply in_map_iff in known; destruct known as [x [<- known]]; auto. }
  assert (- b * sum l' < dot l' (map (dot (times (-1) w)) outside)).
  { apply average_strictly_above; [rewrite map_length; exact long' | exact nonneg' | lra |].
    intros s known; apply in_map_iff in known; destruct known as [x [<- known]].
    rewrite dot_times_l; pose proof (low x known); lra. }
  rewrite <- dot_mix in *; rewrite dot_times_l in *; nra.
Qed.

(** Proposition 2.6 (contradictory sums): equally many true and false corners with the same sum
    exclude every halfspace. *)
Theorem contradictory_sums (inside outside : list vec)
  (equally_many : length inside = length outside)
  (some : inside <> [])
  (equal_sums : same (fold_right plus [] inside) (fold_right plus [] outside)) :
  forall w b, ~ splits w b inside outside.
Proof.
  intros w b [high low].
  pose proof (dot_same _ _ w equal_sums) as score.
  (* mb ≤ Σ⟨w,p⟩ = ⟨w,Σp⟩ = ⟨w,Σn⟩ = Σ⟨w,n⟩ < mb *)
  assert (above : forall points, (forall x, In x points -> b <= dot w x) ->
    of_nat (length points) * b <= dot w (fold_right plus [] points)).
  { clear; induction points as [| x points IH]; intro high; simpl length; simpl fold_right.
    - rewrite dot_nil_r; change (of_nat 0) with 0; lra.
    - pose proof (high x (or_introl eq_refl)).
      pose proof (IH (fun x' later => high x' (or_intror later))).
      rewrite dot_plus_r, of_nat_S; lra. }
  assert (below : forall points, points <> [] -> (forall x, In x points -> dot w x < b) ->
    dot w (fold_right plus [] points) < of_nat (length points) * b).
  { clear; induction points as [| x [| x' points] IH]; intros some low; [congruence | |].
    - pose proof (low x (or_introl eq_refl)); simpl fold_right; simpl length.
      rewrite dot_plus_r, dot_nil_r, of_nat_S; change (of_nat 0) with 0; lra.
    - pose proof (low x (or_introl eq_refl)).
      pose proof (IH ltac:(discriminate) (fun x'' later => low x'' (or_intror later))).
      remember (x' :: points) as more; simpl fold_right; simpl length.
      rewrite dot_plus_r, of_nat_S; lra. }
  pose proof (above inside high).
  assert (nonempty : outside <> []) by (destruct inside, outside; simpl in *; congruence).
  pose proof (below outside nonempty low).
  rewrite equally_many in *; lra.
Qed.

(** ** Radon *)

Lemma length_plus (u v : vec) (equal : length u = length v) : length (plus u v) = length u.
Proof.
  revert v equal; induction u; intros [| b v] equal; simpl in *; try discriminate; auto.
Qed.

(** The first coordinate, and the others. *)
Lemma dot_first (a : Q) (w v : vec) : dot (a :: w) v == a * hd 0 v + dot w (tl v).
Proof. destruct v; simpl; [rewrite dot_nil_r |]; ring. Qed.

Lemma dot_insert (c1 c2 m1 m2 : list Q) (k x : Q) (equal : length c1 = length m1) :
  dot (c1 ++ k :: c2) (m1 ++ x :: m2) == dot (c1 ++ c2) (m1 ++ m2) + k * x.
Proof.
  revert m1 equal; induction c1; intros [| m m1] equal; simpl in *; try discriminate; [ring |].
  rewrite IHc1 by lia; ring.
Qed.

Lemma all_zero_or_not (vs : list vec) :
  (forall v, In v vs -> hd 0 v == 0) \/ (exists v, In v vs /\ ~ hd 0 v == 0).
Proof.
  induction vs as [| v vs IH]; [left; intros v [] |].
  destruct (Qeq_dec (hd 0 v) 0) as [zero | pivot].
  - destruct IH as [all | [p [known pivot]]].
    + left; intros v' [<- | later]; auto.
    + right; exists p; split; [right |]; assumption.
  - right; exists v; split; [left; reflexivity | exact pivot].
Qed.

(** More vectors than dimensions are dependent: Gauss' elimination, one coordinate at a time. *)
Lemma dependent (d : nat) (vs : list vec)
  (dimension : forall v, In v vs -> length v = d)
  (many : (d < length vs)%nat) :
  exists c, length c = length vs /\ ~ is_zero c /\ is_zero (mix c vs).
Proof.
  revert vs dimension many; induction d as [| d IH]; intros vs dimension many.
  - (* no coordinate: any weights do *)
    destruct vs as [| v vs]; [simpl in many; lia |].
    exists (1 :: repeat 0 (length vs)); simpl; rewrite repeat_length; split; [reflexivity |].
    split; [intro zero; inversion_clear zero; lra |].
    change (is_zero (mix (1 :: repeat 0 (length vs)) (v :: vs))).
    apply zero_test; intro w; rewrite dot_mix, dot_comm; apply dot_zero, Forall_forall.
    intros s known; apply in_map_iff in known; destruct known as [v' [<- known]].
    specialize (dimension v' known); destruct v'; [apply dot_nil_r | discriminate].
  - destruct (all_zero_or_not vs) as [heads | [p [known pivot]]].
    + (* the first coordinate is 0 everywhere: forget it *)
      destruct (IH (map (@tl Q) vs)) as [c [long [nonzero zero]]].
      { intros v' known; apply in_map_iff in known; destruct known as [v [<- known]].
        specialize (dimension v known); destruct v; simpl in *; [discriminate | lia]. }
      { rewrite map_length; lia. }
      rewrite map_length in long; exists c; repeat split; auto.
      apply zero_test; intros [| a w]; [reflexivity |].
      assert (same_scores : dot (a :: w) (mix c vs) == dot w (mix c (map (@tl Q) vs))).
      { rewrite !dot_mix; clear - heads; revert c.
        induction vs as [| v vs IH]; intros [| k c]; try reflexivity.
        cbn [map]; rewrite !dot_cons, dot_first, (heads v (or_introl eq_refl)), IH
          by (intros v' later; apply heads; right; exact later); ring. }
      rewrite same_scores, dot_comm; apply dot_zero, zero.
    + (* some vector p does not: subtract multiples of it to make the others 0 there *)
      destruct (in_split p vs known) as [l1 [l2 E]].
      set (h := hd 0 p) in *.
      set (reduce := fun v => minus (tl v) (times (hd 0 v / h) (tl p))).
      assert (tails : forall v, In v vs -> length (tl v) = d).
      { intros v known_v; specialize (dimension v known_v).
        destruct v; simpl in *; [discriminate | lia]. }
      destruct (IH (map reduce (l1 ++ l2))) as [c [long [nonzero zero]]].
      { intros v' known'; apply in_map_iff in known'; destruct known' as [v [<- known']].
        assert (In v vs) by (subst vs; rewrite in_app_iff in *; simpl; tauto).
        unfold reduce, minus; rewrite length_plus; [auto |].
        unfold times; rewrite !map_length, !tails; auto. }
      { subst vs; rewrite map_length, app_length in *; simpl in many; lia. }
      rewrite map_length, app_length in long.
      set (c1 := firstn (length l1) c); set (c2 := skipn (length l1) c).
      assert (E1 : length c1 = length l1) by (unfold c1; rewrite firstn_length; lia).
      assert (E2 : c = c1 ++ c2) by (symmetry; apply firstn_skipn).
      set (H := dot c (map (hd 0) (l1 ++ l2))).
      exists (c1 ++ - H / h :: c2); split; [| split].
      * subst vs; rewrite !app_length; simpl.
        assert (length c = length c1 + length c2)%nat by (rewrite E2 at 1; apply app_length); lia.
      * intro all; apply nonzero; rewrite E2; unfold is_zero in *.
        apply Forall_app in all; destruct all as [all1 all2]; inversion_clear all2.
        apply Forall_app; split; assumption.
      * apply zero_test; intros [| a w]; [reflexivity |].
        rewrite dot_mix, E, map_app; cbn [map].
        rewrite dot_insert by (rewrite map_length; exact E1).
        rewrite <- E2, <- map_app.
        (* the scores of the others, before and after the reduction *)
        assert (scores : forall c vs', dot c (map (dot (a :: w)) vs')
          == (a + dot w (tl p) / h) * dot c (map (hd 0) vs')
             + dot c (map (dot w) (map reduce vs'))).
        { clear - pivot; intros c vs'; revert c.
          induction vs' as [| v vs' IH]; intros [| k c]; [simpl; ring .. |].
          cbn [map]; rewrite !dot_cons, dot_first, IH; unfold reduce.
          rewrite dot_minus_r, dot_times_r.
          field; exact pivot. }
        rewrite scores, <- (dot_mix w), (dot_comm w (mix c _)), (dot_zero _ w zero), dot_first.
        fold H h; field; exact pivot.
Qed.

(** The points on one side of a labelling. *)
Fixpoint side (which : bool) (labels : list bool) (points : list vec) : list vec :=
  match labels, points with
  | l :: labels', x :: points' =>
      if Bool.eqb l which then x :: side which labels' points' else side which labels' points'
  | _, _ => []
  end.

Definition positive (c : Q) : bool := negb (Qle_bool c 0).

Lemma positive_spec (c : Q) : if positive c then 0 < c else c <= 0.
Proof.
  unfold positive; destruct (Qle_bool c 0) eqn:test; simpl.
  - apply Qle_bool_iff, test.
  - destruct (Qlt_le_dec 0 c); [assumption |].
    assert (Qle_bool c 0 = true) by (apply Qle_bool_iff; assumption); congruence.
Qed.

(** The positive weights, and the others with their signs changed, all divided by S. *)
Fixpoint half (which : bool) (S : Q) (c : list Q) : list Q :=
  match c with
  | [] => []
  | k :: c' => if Bool.eqb (positive k) which
               then (if which then k / S else - k / S) :: half which S c' else half which S c'
  end.

Lemma half_convex (which : bool) (S : Q) (c : list Q) (points : list vec)
  (scale : 0 < S) (equally_long : length c = length points) :
  length (half which S c) = length (side which (map positive c) points)
  /\ Forall (fun l => 0 <= l) (half which S c).
Proof.
  revert points equally_long; induction c as [| k c IH]; intros [| x points] equally_long;
    simpl in *; try discriminate; [split; [reflexivity | constructor] |].
  destruct (IH points ltac:(lia)) as [long nonneg]; pose proof (positive_spec k) as sign.
  destruct (positive k), which; simpl; auto; split; auto; constructor; auto.
  - apply Qle_shift_div_l; lra.
  - apply Qle_shift_div_l; lra.
Qed.

Lemma halves (w : vec) (S : Q) (c : list Q) (points : list vec) (scale : 0 < S) :
  dot w (mix c points) == S * dot w (mix (half true S c) (side true (map positive c) points))
                        - S * dot w (mix (half false S c) (side false (map positive c) points)).
Proof.
  revert points; induction c as [| k c IH]; intros [| x points]; simpl;
    rewrite ?dot_nil_r; try ring.
  - destruct (positive k); simpl; rewrite ?dot_nil_r; destruct (half true S c), (half false S c);
      simpl; rewrite ?dot_nil_r; ring.
  - rewrite dot_plus_r, dot_times_r, IH.
    destruct (positive k); simpl; rewrite dot_plus_r, dot_times_r; field; lra.
Qed.

(** Their sums: S times each is the same for every S, and for S = 1 they differ by Σ c. *)
Lemma sum_half (which : bool) (S : Q) (c : list Q) (scale : 0 < S) :
  S * sum (half which S c) == sum (half which 1 c).
Proof.
  induction c as [| k c IH]; simpl; [ring |].
  destruct (positive k), which; simpl; rewrite <- ?IH; auto; field; lra.
Qed.

Lemma sum_halves (c : list Q) : sum c == sum (half true 1 c) - sum (half false 1 c).
Proof.
  induction c as [| k c IH]; simpl; [ring |]; rewrite IH.
  destruct (positive k); simpl; field.
Qed.

Lemma sum_nonneg (l : list Q) (nonneg : Forall (fun c => 0 <= c) l) : 0 <= sum l.
Proof. induction nonneg; simpl; lra. Qed.

(** Weights that sum to 0 and are not all 0 have a positive one among them. *)
Lemma some_positive (c : list Q) (balance : sum c == 0) (nonzero : ~ is_zero c) :
  0 < sum (half true 1 c).
Proof.
  destruct (Qlt_le_dec 0 (sum (half true 1 c))) as [yes | no]; [exact yes |].
  exfalso; apply nonzero.
  assert (none : sum (half false 1 c) <= 0) by (pose proof (sum_halves c); lra).
  clear balance nonzero; induction c as [| k c IH]; [constructor |].
  assert (parts : forall which, Forall (fun l => 0 <= l) (half which 1 c)).
  { intro which; apply (half_convex which 1 c (map (fun _ => []) c)); [lra |].
    symmetry; apply map_length. }
  pose proof (sum_nonneg _ (parts true)); pose proof (sum_nonneg _ (parts false)).
  pose proof (positive_spec k) as sign.
  assert (unit : forall a, a / 1 == a) by (intro; field).
  simpl in no, none; destruct (positive k); simpl in no, none; rewrite unit in *;
    constructor; try lra; apply IH; lra.
Qed.

(** Theorem 3.6 (Radon): any d + 2 points of a space of dimension d can be split into two sets
    whose hulls have a common point. *)
Theorem radon (d : nat) (points : list vec)
  (dimension : forall x, In x points -> length x = d)
  (many : length points = (d + 2)%nat) :
  exists labels q, length labels = length points
    /\ in_hull q (side true labels points) /\ in_hull q (side false labels points).
Proof.
  (* the points (−1, x), with the constant in front, are dependent *)
  destruct (dependent (S d) (map (cons (-1)) points)) as [c [long [nonzero zero]]].
  { intros v known; apply in_map_iff in known; destruct known as [x [<- known]].
    simpl; rewrite dimension; auto. }
  { rewrite map_length; lia. }
  rewrite map_length in long.
  assert (scores : forall a w, - a * sum c + dot w (mix c points) == 0).
  { intros a w; pose proof (dot_zero _ (a :: w) zero) as E.
    rewrite dot_comm, dot_mix in E; rewrite <- E, dot_mix; clear - long.
    revert points long; induction c as [| k c IH]; intros [| x points] long;
      simpl in *; try discriminate; [ring |].
    rewrite <- (IH points ltac:(lia)); ring. }
  assert (balance : sum c == 0) by (pose proof (scores (-1) []); simpl dot in *; lra).
  pose proof (some_positive c balance nonzero) as some.
  set (S := sum (half true 1 c)) in *.
  assert (ones : forall which, sum (half which S c) == 1).
  { intro which; apply Qmult_inj_l with S; [lra |]; rewrite sum_half by exact some.
    pose proof (sum_halves c); destruct which; unfold S in *; lra. }
  exists (map positive c), (mix (half true S c) (side true (map positive c) points)).
  split; [rewrite map_length; exact long | split].
  - exists (half true S c); destruct (half_convex true S c points some long) as [len nonneg].
    split; [repeat split; auto |].
    apply zero_test; intro w; rewrite dot_minus_r; ring.
  - exists (half false S c); destruct (half_convex false S c points some long) as [len nonneg].
    split; [repeat split; auto |].
    apply zero_test; intro w; rewrite dot_minus_r.
    pose proof (scores 0 w) as E; rewrite (halves w S c points some) in E; nra.
Qed.
