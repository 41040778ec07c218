(** * A separator, or weights that cancel: one of them exists (notebook 03)

    [separation.v] shows that there are not both. That there is at least one, the notebook proves
    with a shortest point of the hull, which exists by compactness: an argument about real
    numbers. Here is another proof, by elimination (Fourier, Motzkin). It finds the one or the
    other in finitely many steps of rational arithmetic. *)

From Halfspaces Require Import vectors separation.

(** ** Positive combinations *)

(** What can be made of the vectors [zs] by adding and by stretching. *)
Inductive made_of (zs : list vec) : vec -> Prop :=
  | given (z : vec) : In z zs -> made_of zs z
  | added (u v : vec) : made_of zs u -> made_of zs v -> made_of zs (plus u v)
  | stretched (c : Q) (u : vec) : 0 < c -> made_of zs u -> made_of zs (times c u)
  | renamed (u v : vec) : (forall w, dot w u == dot w v) -> made_of zs u -> made_of zs v.

(** What is made of things that are made of [zs] is made of [zs]. *)
Lemma made_of_made (zs more : list vec) (u : vec)
  (all : forall z, In z more -> made_of zs z) (of_more : made_of more u) : made_of zs u.
Proof. induction of_more; eauto using added, stretched, renamed. Qed.

(** A coordinate 0 in front changes nothing. *)
Lemma made_of_lifted (zs : list vec) (u : vec) (of_zs : made_of zs u) :
  made_of (map (cons 0) zs) (0 :: u).
Proof.
  induction of_zs as [z known | u v _ IHu _ IHv | c u positive _ IH | u v equal _ IH].
  - apply given, in_map, known.
  - apply renamed with (plus (0 :: u) (0 :: v)); [| apply added; assumption].
    intros [| a w]; [reflexivity |]; rewrite dot_plus_r; simpl; rewrite dot_plus_r; ring.
  - apply renamed with (times c (0 :: u)); [| apply stretched; assumption].
    intros [| a w]; [reflexivity |]; rewrite dot_times_r; simpl; fold (times c u).
    rewrite dot_times_r; ring.
  - apply renamed with (0 :: u); [| exact IH].
    intros [| a w]; [reflexivity |]; simpl; rewrite equal; reflexivity.
Qed.

Lemma mix_plus (w : vec) (l l' : list Q) (zs : list vec) :
  dot w (mix (plus l l') zs) == dot w (mix l zs) + dot w (mix l' zs).
Proof. rewrite !dot_mix; apply dot_plus_l. Qed.

(** It comes with weights that are not negative and not all 0. *)
Lemma made_of_weights (zs : list vec) (u : vec) (of_zs : made_of zs u) :
  exists l, length l = length zs /\ Forall (fun c => 0 <= c) l /\ 0 < sum l
    /\ forall w, dot w (mix l zs) == dot w u.
Proof.
  induction of_zs as [z known | u v _ IHu _ IHv | c u positive _ IH | u v equal _ IH].
  - induction zs as [| z' zs IH]; [destruct known |]; destruct known as [<- | known].
    + exists (1 :: repeat 0 (length zs)); repeat split.
      * simpl; rewrite repeat_length; reflexivity.
      * constructor; [lra |]; apply Forall_forall; intros c zero.
        apply repeat_spec in zero; subst c; lra.
      * simpl; pose proof (sum_zero _ (zero_repeat (length zs))); lra.
      * intro w; cbn [mix]; rewrite dot_plus_r, dot_times_r, dot_mix.
        rewrite (dot_zero (repeat 0 (length zs))) by apply zero_repeat; ring.
    + destruct (IH known) as [l [long [nonneg [some value]]]].
      exists (0 :: l); repeat split; [simpl; lia | constructor; [lra | exact nonneg] | |].
      * simpl; lra.
      * intro w; cbn [mix]; rewrite dot_plus_r, dot_times_r, value; ring.
  - destruct IHu as [l [long [nonneg [some value]]]].
    destruct IHv as [l' [long' [nonneg' [some' value']]]].
    assert (sums : Forall (fun c => 0 <= c) (plus l l') /\ sum (plus l l') == sum l + sum l').
    { clear - nonneg nonneg'; revert l' nonneg'; induction nonneg as [| a l a0 nonneg IH];
        intros l' nonneg'; simpl; [split; [exact nonneg' | ring] |].
      destruct nonneg' as [| b l' b0 nonneg']; simpl;
        [split; [constructor; assumption | ring] |].
      destruct (IH l' nonneg') as [all total]; rewrite total.
      split; [constructor; [lra | exact all] | ring]. }
    destruct sums as [all total]; exists (plus l l'); repeat split.
    + rewrite length_plus; lia.
    + exact all.
    + lra.
    + intro w; rewrite mix_plus, dot_plus_r, value, value'; ring.
  - destruct IH as [l [long [nonneg [some value]]]].
    exists (times c l); repeat split.
    + unfold times; rewrite map_length; exact long.
    + clear - nonneg positive; induction nonneg; simpl; constructor; [nra | assumption].
    + rewrite sum_times; nra.
    + intro w; rewrite dot_mix, dot_times_l, <- dot_mix, value, dot_times_r; ring.
  - destruct IH as [l [long [nonneg [some value]]]].
    exists l; repeat split; auto; intro w; rewrite value; apply equal.
Qed.

(** If 0 can be made, there are convex weights that cancel. *)
Lemma made_of_cancels (zs : list vec) (u : vec) (of_zs : made_of zs u) (zero : is_zero u) :
  exists l, cancels l zs.
Proof.
  destruct (made_of_weights zs u of_zs) as [l [long [nonneg [some value]]]].
  pose proof (Qinv_lt_0_compat _ some) as inverse.
  exists (times (/ sum l) l); repeat split.
  - unfold times; rewrite map_length; exact long.
  - set (c := / sum l) in *; clearbody c; clear - nonneg inverse.
    induction nonneg; simpl; constructor; [nra | assumption].
  - rewrite sum_times; field; lra.
  - apply zero_test; intro w; rewrite dot_mix, dot_times_l, <- dot_mix, value.
    rewrite (dot_comm w), dot_zero by exact zero; ring.
Qed.

(** ** A number between *)

Lemma largest (l : list Q) : l = [] \/ exists m, In m l /\ forall a, In a l -> a <= m.
Proof.
  induction l as [| a l [-> | [m [known most]]]]; [left; reflexivity | |]; right.
  - exists a; split; [left; reflexivity |]; intros b [<- | []]; lra.
  - destruct (Qlt_le_dec a m) as [less | more].
    + exists m; split; [right; exact known |]; intros b [<- | later]; [lra | auto].
    + exists a; split; [left; reflexivity |]; intros b [<- | later]; [lra |].
      pose proof (most b later); lra.
Qed.

Lemma between (lows highs : list Q)
  (apart : forall a b, In a lows -> In b highs -> a < b) :
  exists c, (forall a, In a lows -> a < c) /\ (forall b, In b highs -> c < b).
Proof.
  destruct (largest lows) as [-> | [m [in_m most]]];
    destruct (largest (map Qopp highs)) as [none | [n [in_n least]]].
  - exists 0; apply map_eq_nil in none; subst highs; split; intros a [].
  - exists (- n - 1); split; [intros a [] |]; intros b known.
    pose proof (least (- b) (in_map Qopp _ _ known)); lra.
  - apply map_eq_nil in none; subst highs; exists (m + 1); split; [| intros b []].
    intros a known; pose proof (most a known); lra.
  - apply in_map_iff in in_n; destruct in_n as [k [<- in_k]].
    pose proof (apart m k in_m in_k) as gap.
    exists ((m + k) / 2); split.
    + intros a known; pose proof (most a known); apply Qlt_shift_div_l; lra.
    + intros b known; pose proof (least (- b) (in_map Qopp _ _ known)).
      apply Qlt_shift_div_r; lra.
Qed.

(** ** Elimination of the first coordinate *)

(** One z from each side, stretched and added so that the first coordinate goes. *)
Definition meet (p n : vec) : vec :=
  plus (times (hd 0 p) (tl n)) (times (- hd 0 n) (tl p)).

Definition is_positive (z : vec) : bool := negb (Qle_bool (hd 0 z) 0).
Definition is_negative (z : vec) : bool := negb (Qle_bool 0 (hd 0 z)).

Definition eliminate (zs : list vec) : list vec :=
  map (@tl Q) (filter (fun z => negb (is_positive z) && negb (is_negative z)) zs)
  ++ flat_map (fun p => map (meet p) (filter is_negative zs)) (filter is_positive zs).

Lemma is_positive_spec (z : vec) : is_positive z = true <-> 0 < hd 0 z.
Proof.
  unfold is_positive; rewrite Bool.negb_true_iff, <- Bool.not_true_iff_false, Qle_bool_iff.
  split; [apply Qnot_le_lt | apply Qlt_not_le].
Qed.

Lemma is_negative_spec (z : vec) : is_negative z = true <-> hd 0 z < 0.
Proof.
  unfold is_negative; rewrite Bool.negb_true_iff, <- Bool.not_true_iff_false, Qle_bool_iff.
  split; [apply Qnot_le_lt | apply Qlt_not_le].
Qed.

Lemma eliminate_spec (zs : list vec) (t : vec) :
  In t (eliminate zs)
  <-> (exists z, In z zs /\ hd 0 z == 0 /\ t = tl z)
      \/ (exists p n, In p zs /\ In n zs /\ 0 < hd 0 p /\ hd 0 n < 0 /\ t = meet p n).
Proof.
  unfold eliminate; rewrite in_app_iff, in_map_iff, in_flat_map; split; intros [first | second].
  - left; destruct first as [z [<- known]]; apply filter_In in known.
    destruct known as [known sides]; apply andb_prop in sides; destruct sides as [not_p not_n].
    rewrite Bool.negb_true_iff, <- Bool.not_true_iff_false in not_p, not_n.
    rewrite is_positive_spec in not_p; rewrite is_negative_spec in not_n.
    exists z; repeat split; auto; apply Qnot_lt_le in not_p, not_n; lra.
  - right; destruct second as [p [in_p rest]]; apply in_map_iff in rest.
    destruct rest as [n [<- in_n]]; apply filter_In in in_p, in_n.
    rewrite is_positive_spec in in_p; rewrite is_negative_spec in in_n.
    exists p, n; tauto.
  - left; destruct first as [z [known [zero ->]]]; exists z; split; [reflexivity |].
    apply filter_In; split; [exact known |]; apply andb_true_intro.
    rewrite !Bool.negb_true_iff, <- !Bool.not_true_iff_false, is_positive_spec, is_negative_spec.
    split; lra.
  - right; destruct second as [p [n [in_p [in_n [high [low ->]]]]]]; exists p; split.
    + apply filter_In; rewrite is_positive_spec; auto.
    + apply in_map, filter_In; rewrite is_negative_spec; auto.
Qed.

(** What is made after the elimination could have been made before. *)
Lemma eliminate_made_of (zs : list vec) (t : vec) (known : In t (eliminate zs)) :
  made_of zs (0 :: t).
Proof.
  apply eliminate_spec in known; destruct known as [zeros | pairs].
  - destruct zeros as [z [known [zero ->]]]; apply renamed with z; [| apply given, known].
    intros [| a w]; [reflexivity |]; rewrite !dot_first; simpl hd; simpl tl; rewrite zero; ring.
  - destruct pairs as [p [n [in_p [in_n [high [low ->]]]]]].
    apply renamed with (plus (times (hd 0 p) n) (times (- hd 0 n) p)).
    + intros [| a w]; [reflexivity |].
      rewrite dot_plus_r, !dot_times_r, !dot_first; simpl hd; simpl tl.
      unfold meet; rewrite dot_plus_r, !dot_times_r; ring.
    + apply added; apply stretched; auto using given; lra.
Qed.

(** A separator after the elimination becomes one before it, with a suitable first weight. *)
Lemma eliminate_separates (zs : list vec) (w : vec) (after : separates w (eliminate zs)) :
  exists v, separates v zs.
Proof.
  set (low := fun z => - dot w (tl z) / hd 0 z).
  destruct (between (map low (filter is_positive zs)) (map low (filter is_negative zs)))
    as [a [above below]].
  { intros p' n' in_p in_n; apply in_map_iff in in_p, in_n.
    destruct in_p as [p [<- in_p]], in_n as [n [<- in_n]]; apply filter_In in in_p, in_n.
    rewrite is_positive_spec in in_p; rewrite is_negative_spec in in_n.
    destruct in_p as [in_p high], in_n as [in_n below_0].
    assert (met : 0 < dot w (meet p n)).
    { apply after, eliminate_spec; right; exists p, n; auto. }
    unfold meet in met; rewrite dot_plus_r, !dot_times_r in met.
    apply Qlt_shift_div_r; [exact high |]; unfold low.
    setoid_replace (- dot w (tl n) / hd 0 n * hd 0 p)
      with (hd 0 p * dot w (tl n) / - hd 0 n) by (field; lra).
    apply Qlt_shift_div_l; lra. }
  exists (a :: w); intros z known; rewrite dot_first.
  destruct (Qlt_le_dec 0 (hd 0 z)) as [high | not_high].
  - assert (in_z : In (low z) (map low (filter is_positive zs))).
    { apply in_map, filter_In; rewrite is_positive_spec; auto. }
    pose proof (above _ in_z) as more; unfold low in more.
    assert (E : - dot w (tl z) / hd 0 z * hd 0 z == - dot w (tl z)) by (field; lra).
    assert (- dot w (tl z) / hd 0 z * hd 0 z < a * hd 0 z)
      by (apply Qmult_lt_r; assumption).
    lra.
  - destruct (Qlt_le_dec (hd 0 z) 0) as [below_0 | zero].
    + assert (in_z : In (low z) (map low (filter is_negative zs))).
      { apply in_map, filter_In; rewrite is_negative_spec; auto. }
      pose proof (below _ in_z) as less; unfold low in less.
      assert (E : - dot w (tl z) / hd 0 z * hd 0 z == - dot w (tl z)) by (field; lra).
      assert (a * - hd 0 z < - dot w (tl z) / hd 0 z * - hd 0 z)
        by (apply Qmult_lt_r; lra).
      lra.
    + assert (zero' : hd 0 z == 0) by lra.
      assert (0 < dot w (tl z)).
      { apply after, eliminate_spec; left; exists z; auto. }
      rewrite zero'; lra.
Qed.

(** ** The theorem *)

Lemma gordan_in_dimension (d : nat) (zs : list vec)
  (dimension : forall z, In z zs -> (length z <= d)%nat) :
  (exists v, separates v zs) \/ (exists u, made_of zs u /\ is_zero u).
Proof.
  revert zs dimension; induction d as [| d IH]; intros zs dimension.
  - destruct zs as [| z zs]; [left; exists []; intros z [] |].
    right; exists z; split; [apply given; left; reflexivity |].
    specialize (dimension z (or_introl eq_refl)); destruct z; [constructor | simpl in *; lia].
  - destruct (IH (eliminate zs)) as [[w after] | [u [of_zs zero]]].
    + intros t known; apply eliminate_spec in known.
      assert (tails : forall z, In z zs -> (length (tl z) <= d)%nat).
      { intros z in_z; specialize (dimension z in_z); destruct z; simpl in *; lia. }
      destruct known as [[z [in_z [_ ->]]] | [p [n [in_p [in_n [_ [_ ->]]]]]]]; auto.
      assert (shorter : forall u v : vec, (length u <= d)%nat -> (length v <= d)%nat ->
        (length (plus u v) <= d)%nat).
      { clear; revert d; intros d u; revert d; induction u as [| a u IH];
          intros d [| b v]; simpl; auto; intros; destruct d; try lia.
        apply le_n_S, IH; lia. }
      apply shorter; unfold times; rewrite map_length; auto.
    + left; apply (eliminate_separates zs w after).
    + right; exists (0 :: u); split; [| constructor; [reflexivity | exact zero]].
      apply made_of_made with (map (cons 0) (eliminate zs)).
      * intros z known; apply in_map_iff in known; destruct known as [t [<- known]].
        apply eliminate_made_of, known.
      * apply made_of_lifted, of_zs.
Qed.

(** Theorem 3.3 (Gordan), at least one: a vector with ⟨v,zᵢ⟩ > 0 for all i, or convex weights
    with Σ λᵢzᵢ = 0. *)
Theorem gordan (zs : list vec) : (exists v, separates v zs) \/ (exists l, cancels l zs).
Proof.
  destruct (gordan_in_dimension (fold_right max 0%nat (map (@length Q) zs)) zs)
    as [separator | [u [of_zs zero]]].
  - intros z known; induction zs as [| z' zs IH]; [destruct known |].
    simpl; destruct known as [<- | known]; [lia |]; specialize (IH known); lia.
  - left; exact separator.
  - right; exact (made_of_cancels zs u of_zs zero).
Qed.

(** Theorem 3.3 (Gordan), at least one, with a threshold: a halfspace, or weights with
    Σ λᵢyᵢ(xᵢ,−1) = 0. *)
Theorem gordan_at (data : labelled) :
  (exists w b, separates_at w b data) \/ (exists l, cancels_at l data).
Proof.
  set (z := fun p : vec * Q => times (snd p) (-1 :: fst p)).
  destruct (gordan (map z data)) as [[v separator] | [l [weights zero]]].
  - left; destruct v as [| b w].
    + exists [], 0; intros x y known.
      specialize (separator (z (x, y)) (in_map z _ _ known)); simpl in separator; lra.
    + exists w, b; intros x y known.
      specialize (separator (z (x, y)) (in_map z _ _ known)).
      unfold z in separator; rewrite dot_times_r in separator; simpl in separator.
      setoid_replace (dot w x - b) with (b * -1 + dot w x) by ring; exact separator.
  - right; exists l; rewrite map_length in weights; split; [exact weights |].
    assert (scores : forall a w l, dot (a :: w) (mix l (map z data))
      == dot w (mix l (folded data)) - a * dot l (map snd data)).
    { subst z; clear; intros a w; unfold folded.
      induction data as [| [x y] data IH]; intros [| c l]; try (simpl; rewrite ?dot_nil_r; ring).
      cbn [map mix fst snd]; rewrite !dot_plus_r, IH, !dot_times_r, !dot_cons; ring. }
    split.
    + apply zero_test; intro w; pose proof (scores 0 w l) as E.
      rewrite dot_comm, dot_zero in E by exact zero; lra.
    + pose proof (scores (-1) [] l) as E.
      rewrite dot_comm, dot_zero in E by exact zero; simpl dot in E at 1; lra.
Qed.

(** ** Hulls *)

(** The two sets as data with labels. *)
Definition two_classes (inside outside : list vec) : labelled :=
  map (fun x => (x, 1)) inside ++ map (fun x => (x, -1)) outside.

Lemma convex_twice (l : list Q) (n : nat) (long : length l = n)
  (nonneg : Forall (fun c => 0 <= c) l) (half : sum l == 1 # 2) : convex (times 2 l) n.
Proof.
  repeat split.
  - unfold times; rewrite map_length; exact long.
  - clear - nonneg; induction nonneg; simpl; constructor; [lra | assumption].
  - rewrite sum_times, half; reflexivity.
Qed.

(** Corollary 3.4 (hulls), the other half: two finite sets have a halfspace between them, or
    their hulls have a common point. *)
Theorem halfspace_or_common_point (inside outside : list vec) :
  (exists w b, splits w b inside outside)
  \/ (exists q, in_hull q inside /\ in_hull q outside).
Proof.
  destruct (gordan_at (two_classes inside outside))
    as [[w [b separator]] | [l [[long [nonneg total]] [zero balance]]]].
  - left; exists w, b; split; intros x known.
    + assert (0 < 1 * (dot w x - b)); [| lra].
      apply separator, in_or_app; left; apply (in_map (fun x => (x, 1))), known.
    + assert (0 < -1 * (dot w x - b)); [| lra].
      apply separator, in_or_app; right; apply (in_map (fun x => (x, -1))), known.
  - right; unfold two_classes in *; rewrite app_length, !map_length in long.
    set (l1 := firstn (length inside) l); set (l2 := skipn (length inside) l).
    assert (E : l = l1 ++ l2) by (symmetry; apply firstn_skipn).
    assert (long1 : length l1 = length inside) by (unfold l1; rewrite firstn_length; lia).
    assert (long2 : length l2 = length outside) by (unfold l2; rewrite skipn_length; lia).
    clearbody l1 l2; subst l; apply Forall_app in nonneg; destruct nonneg as [nonneg1 nonneg2].
    rewrite sum_app in total.
    (* both classes have the same weight *)
    assert (labels : forall (c : Q) (l : list Q) (xs : list vec), length l = length xs ->
      dot l (map snd (map (fun x => (x, c)) xs)) == c * sum l).
    { clear; intros c l; induction l as [| a l IH]; intros [| x xs] long; try discriminate;
        simpl; [ring |]; rewrite IH by (simpl in long; lia); ring. }
    rewrite map_app, dot_app, !labels in balance by (rewrite ?map_length; lia).
    (* and what they weigh out is the same point *)
    assert (scores : forall u, dot u (mix l1 inside) == dot u (mix l2 outside)).
    { intro u; pose proof (dot_zero _ u zero) as E; rewrite dot_comm, dot_mix in E.
      unfold folded in E; rewrite !map_app, dot_app in E by (rewrite !map_length; exact long1).
      assert (signed : forall (c : Q) (l : list Q) (xs : list vec),
        dot l (map (dot u) (map (fun p => times (snd p) (fst p)) (map (fun x => (x, c)) xs)))
        == c * dot u (mix l xs)).
      { clear; intros c l xs; rewrite !map_map; revert xs; induction l as [| a l IH];
          intros [| x xs]; try (simpl; rewrite ?dot_nil_r; ring).
        cbn [map mix fst snd]; rewrite dot_cons, IH, dot_plus_r, !dot_times_r; ring. }
      rewrite !signed in E; lra. }
    exists (mix (times 2 l1) inside); split.
    + exists (times 2 l1); split; [apply convex_twice; auto; lra |].
      apply same_test; reflexivity.
    + exists (times 2 l2); split; [apply convex_twice; auto; lra |].
      apply same_test; intro u; rewrite !dot_mix, !dot_times_l, <- !dot_mix, scores; reflexivity.
Qed.
