(** * Margins: primal, dual, and the gap between them (notebook 09)

    Without a threshold the data are the vectors z = yx. The primal minimises ½‖v‖² subject to
    ⟨v,z⟩ ≥ 1, the dual maximises g(α) = Σα − ½‖Σ αᵢzᵢ‖² subject to α ≥ 0. *)

From Halfspaces Require Import vectors.

Definition nonneg (l : list Q) : Prop := Forall (fun a => 0 <= a) l.

(** Products of numbers that are not negative: their sum is not negative either, and if it is 0,
    so is each of them. *)
Lemma products_nonneg (a s : list Q) (left_side : nonneg a) (right_side : nonneg s) :
  0 <= dot a s.
Proof.
  revert s right_side; induction left_side as [| c a c0 _ IH];
    intros s [| k s' k0 right_side]; simpl; try lra.
  pose proof (IH s' right_side); nra.
Qed.

Lemma products_zero (a s : list Q) (left_side : nonneg a) (right_side : nonneg s)
  (total : dot a s == 0) :
  Forall (fun p => fst p * snd p == 0) (combine a s).
Proof.
  revert s right_side total; induction left_side as [| c a c0 left_side IH];
    intros s [| k s' k0 right_side] total; simpl; constructor; simpl in *.
  - pose proof (products_nonneg a s' left_side right_side); nra.
  - apply IH; [exact right_side |].
    pose proof (products_nonneg a s' left_side right_side); nra.
Qed.

Lemma products_of_zeros (a s : list Q)
  (zeros : Forall (fun p => fst p * snd p == 0) (combine a s)) : dot a s == 0.
Proof.
  revert s zeros; induction a as [| c a IH]; intros [| k s] zeros; simpl in *; try lra.
  inversion_clear zeros as [| ? ? first rest]; simpl in first; rewrite first, IH by exact rest.
  ring.
Qed.

(** ** The hard margin *)

Definition primal (v : vec) : Q := (1 # 2) * norm2 v.
Definition dual (alpha : list Q) (zs : list vec) : Q := sum alpha - (1 # 2) * norm2 (mix alpha zs).

(** Definition 9.4: L(v,α) = ½‖v‖² + Σ αᵢ(1 − ⟨v,zᵢ⟩). *)
Definition lagrangian (v : vec) (alpha : list Q) (zs : list vec) : Q :=
  primal v + dot alpha (map (fun z => 1 - dot v z) zs).

Definition primal_feasible (v : vec) (zs : list vec) : Prop :=
  Forall (fun z => 1 <= dot v z) zs.
Definition dual_feasible (alpha : list Q) (zs : list vec) : Prop :=
  length alpha = length zs /\ nonneg alpha.

(** Σ αᵢ(⟨v,zᵢ⟩ − 1), the last term of the gap, and what it is made of. *)
Definition slackness (v : vec) (alpha : list Q) (zs : list vec) : Q :=
  dot alpha (map (fun z => dot v z - 1) zs).

Lemma slackness_value (v : vec) (alpha : list Q) (zs : list vec)
  (one_each : length alpha = length zs) :
  slackness v alpha zs == dot v (mix alpha zs) - sum alpha.
Proof.
  unfold slackness; revert zs one_each.
  induction alpha as [| a alpha IH]; intros [| z zs] one_each; try discriminate.
  - simpl; rewrite dot_nil_r; ring.
  - cbn [map mix sum fold_right]; rewrite dot_cons, dot_plus_r, dot_times_r, IH
      by (simpl in one_each; lia).
    unfold sum; ring.
Qed.

Lemma lagrangian_slackness (v : vec) (alpha : list Q) (zs : list vec) :
  lagrangian v alpha zs == primal v - slackness v alpha zs.
Proof.
  unfold lagrangian, slackness.
  assert (turned : dot alpha (map (fun z => 1 - dot v z) zs)
                   == - dot alpha (map (fun z => dot v z - 1) zs)).
  { revert zs; induction alpha as [| a alpha IH]; intros [| z zs]; try (simpl; ring).
    cbn [map]; rewrite !dot_cons, IH; ring. }
  rewrite turned; ring.
Qed.

(** Lemma 9.8 (the gap, term by term): ½‖v‖² − g(α) = ½‖v − u‖² + Σ αᵢ(⟨v,zᵢ⟩ − 1), where
    u = Σ αᵢzᵢ. *)
Theorem gap (v : vec) (alpha : list Q) (zs : list vec)
  (one_each : length alpha = length zs) :
  primal v - dual alpha zs
  == (1 # 2) * norm2 (minus v (mix alpha zs)) + slackness v alpha zs.
Proof.
  rewrite slackness_value by exact one_each; unfold primal, dual; rewrite norm2_minus; ring.
Qed.

(** Lemma 9.7 (dual function): L(v,α) = ½‖v − u‖² + g(α). *)
Theorem dual_function (v : vec) (alpha : list Q) (zs : list vec)
  (one_each : length alpha = length zs) :
  lagrangian v alpha zs == (1 # 2) * norm2 (minus v (mix alpha zs)) + dual alpha zs.
Proof.
  rewrite lagrangian_slackness; pose proof (gap v alpha zs one_each); lra.
Qed.

Lemma slack_nonneg (v : vec) (zs : list vec) (feasible : primal_feasible v zs) :
  nonneg (map (fun z => dot v z - 1) zs).
Proof. induction feasible; simpl; constructor; [lra | assumption]. Qed.

(** Theorem 9.6 (weak duality): g(α) ≤ ½‖v‖² for all feasible α and v. *)
Theorem weak_duality (v : vec) (alpha : list Q) (zs : list vec)
  (v_feasible : primal_feasible v zs)
  (alpha_feasible : dual_feasible alpha zs) :
  dual alpha zs <= primal v.
Proof.
  destruct alpha_feasible as [one_each nonneg_alpha].
  pose proof (gap v alpha zs one_each) as terms.
  pose proof (norm2_nonneg (minus v (mix alpha zs))).
  pose proof (products_nonneg _ _ nonneg_alpha (slack_nonneg v zs v_feasible)).
  unfold slackness in *; lra.
Qed.

Definition primal_optimal (v : vec) (zs : list vec) : Prop :=
  primal_feasible v zs /\ forall v', primal_feasible v' zs -> primal v <= primal v'.
Definition dual_optimal (alpha : list Q) (zs : list vec) : Prop :=
  dual_feasible alpha zs
  /\ forall alpha', dual_feasible alpha' zs -> dual alpha' zs <= dual alpha zs.

(** Theorem 9.6 (weak duality), what a certificate rests on: feasible v and α whose gap is 0 are
    both optimal. *)
Theorem no_gap_optimal (v : vec) (alpha : list Q) (zs : list vec)
  (v_feasible : primal_feasible v zs)
  (alpha_feasible : dual_feasible alpha zs)
  (no_gap : primal v - dual alpha zs == 0) :
  primal_optimal v zs /\ dual_optimal alpha zs.
Proof.
  split; split; auto.
  - intros v' feasible'; pose proof (weak_duality v' alpha zs feasible' alpha_feasible); lra.
  - intros alpha' feasible'; pose proof (weak_duality v alpha' zs v_feasible feasible'); lra.
Qed.

(** ** The KKT conditions *)

(** The four lines of Theorem 9.10 (b). *)
Record kkt (v : vec) (alpha : list Q) (zs : list vec) : Prop := {
  line_primal : primal_feasible v zs;
  line_dual : dual_feasible alpha zs;
  line_stationary : same v (mix alpha zs);
  line_slack : Forall (fun p => fst p * snd p == 0)
                 (combine alpha (map (fun z => dot v z - 1) zs))
}.

(** Theorem 9.10 (KKT conditions), no gap: the four lines close it. *)
Theorem kkt_no_gap (v : vec) (alpha : list Q) (zs : list vec)
  (four_lines : kkt v alpha zs) :
  primal v - dual alpha zs == 0.
Proof.
  destruct four_lines as [_ [one_each _] stationary slack].
  rewrite gap by exact one_each.
  assert (norm2 (minus v (mix alpha zs)) == 0) by (apply dot_zero, stationary).
  pose proof (products_of_zeros _ _ slack); unfold slackness; lra.
Qed.

(** Theorem 9.10 (KKT conditions), (b) ⇒ (a): then v solves the primal and α the dual. *)
Theorem kkt_optimal (v : vec) (alpha : list Q) (zs : list vec)
  (four_lines : kkt v alpha zs) :
  primal_optimal v zs /\ dual_optimal alpha zs.
Proof.
  apply no_gap_optimal; [apply four_lines .. | apply kkt_no_gap, four_lines].
Qed.

(** Theorem 9.10 (KKT conditions), the way back: feasible v and α without a gap satisfy them. *)
Theorem no_gap_kkt (v : vec) (alpha : list Q) (zs : list vec)
  (v_feasible : primal_feasible v zs)
  (alpha_feasible : dual_feasible alpha zs)
  (no_gap : primal v - dual alpha zs == 0) :
  kkt v alpha zs.
Proof.
  destruct alpha_feasible as [one_each nonneg_alpha].
  pose proof (gap v alpha zs one_each) as terms.
  pose proof (norm2_nonneg (minus v (mix alpha zs))).
  pose proof (slack_nonneg v zs v_feasible) as slack.
  pose proof (products_nonneg _ _ nonneg_alpha slack).
  unfold slackness in terms; split; auto; [split; auto | |].
  - apply norm2_zero; lra.
  - apply products_zero; auto; lra.
Qed.

(** Theorem 9.10 (c): nobody gains by moving alone. *)
Definition saddle (v : vec) (alpha : list Q) (zs : list vec) : Prop :=
  dual_feasible alpha zs
  /\ (forall alpha', dual_feasible alpha' zs -> lagrangian v alpha' zs <= lagrangian v alpha zs)
  /\ (forall v', lagrangian v alpha zs <= lagrangian v' alpha zs).

(** Theorem 9.10 (saddle point), (b) ⇒ (c). *)
Theorem kkt_saddle (v : vec) (alpha : list Q) (zs : list vec)
  (four_lines : kkt v alpha zs) :
  saddle v alpha zs.
Proof.
  destruct four_lines as [v_feasible alpha_feasible stationary slack].
  split; [exact alpha_feasible | split].
  - intros alpha' [_ nonneg']; rewrite !lagrangian_slackness.
    pose proof (products_of_zeros _ _ slack).
    pose proof (products_nonneg _ _ nonneg' (slack_nonneg v zs v_feasible)).
    unfold slackness; lra.
  - intro v'; rewrite !dual_function by apply alpha_feasible.
    assert (norm2 (minus v (mix alpha zs)) == 0) by (apply dot_zero, stationary).
    pose proof (norm2_nonneg (minus v' (mix alpha zs))); lra.
Qed.

(** A higher price for one constraint: α plus 1 in a place. *)
Lemma raise_one (f : vec -> Q) (z : vec) (zs : list vec) (alpha : list Q)
  (known : In z zs) (alpha_feasible : dual_feasible alpha zs) :
  exists alpha', dual_feasible alpha' zs
    /\ dot alpha' (map f zs) == dot alpha (map f zs) + f z.
Proof.
  revert alpha alpha_feasible; induction zs as [| z' zs IH]; [destruct known |].
  intros [| a alpha] [one_each nonneg_alpha]; [discriminate |].
  inversion_clear nonneg_alpha; destruct known as [<- | later].
  - exists (a + 1 :: alpha); split; [split; [exact one_each | constructor; [lra | assumption]] |].
    simpl; ring.
  - destruct (IH later alpha) as [alpha' [[long' nonneg'] raised]].
    { split; [simpl in one_each; lia | assumption]. }
    exists (a :: alpha'); split; [split; [simpl in *; lia | constructor; assumption] |].
    simpl; rewrite raised; ring.
Qed.

(** Theorem 9.10 (saddle point), (c) ⇒ (b). *)
Theorem saddle_kkt (v : vec) (alpha : list Q) (zs : list vec)
  (at_saddle : saddle v alpha zs) :
  kkt v alpha zs.
Proof.
  destruct at_saddle as [alpha_feasible [best_alpha best_v]].
  (* on the right, v is as good as u = Σ αᵢzᵢ, so that it is u *)
  assert (stationary : same v (mix alpha zs)).
  { apply norm2_zero; pose proof (best_v (mix alpha zs)) as better.
    rewrite !dual_function in better by apply alpha_feasible.
    pose proof (norm2_nonneg (minus v (mix alpha zs))).
    assert (norm2 (minus (mix alpha zs) (mix alpha zs)) == 0)
      by (rewrite norm2_minus; unfold norm2; ring).
    lra. }
  (* on the left, no higher price pays, so that no constraint is violated *)
  assert (v_feasible : primal_feasible v zs).
  { apply Forall_forall; intros z known.
    destruct (raise_one (fun z => 1 - dot v z) z zs alpha known alpha_feasible)
      as [alpha' [feasible' raised]].
    pose proof (best_alpha alpha' feasible') as better; unfold lagrangian in better; lra. }
  apply no_gap_kkt; auto.
  (* and prices 0 do not pay either, so that Σ αᵢ(⟨v,zᵢ⟩ − 1) ≤ 0 *)
  rewrite gap by apply alpha_feasible.
  assert (norm2 (minus v (mix alpha zs)) == 0) by (apply dot_zero, stationary).
  assert (zeros : dual_feasible (repeat 0 (length zs)) zs).
  { split; [apply repeat_length |]; induction zs; simpl; constructor; [lra |].
    clear; induction zs; simpl; constructor; [lra | assumption]. }
  pose proof (best_alpha _ zeros) as better; rewrite !lagrangian_slackness in better.
  assert (slackness v (repeat 0 (length zs)) zs == 0).
  { apply dot_zero, zero_repeat. }
  pose proof (products_nonneg _ _ (proj2 alpha_feasible) (slack_nonneg v zs v_feasible)).
  unfold slackness in *; lra.
Qed.

(** ** The soft margin, with a threshold *)

(** The labels, and the place mᵢ = yᵢ(⟨v,xᵢ⟩ − b) of a point. *)
Definition labels (data : labelled) : list Q := map snd data.
Definition place (v : vec) (b : Q) (p : vec * Q) : Q := snd p * (dot v (fst p) - b).

(** Problem (5), with slack ξ and the fee C, and problem (6). *)
Definition soft_primal (v : vec) (xi : list Q) (C : Q) : Q := primal v + C * sum xi.

Definition soft_feasible (v : vec) (b : Q) (xi : list Q) (data : labelled) : Prop :=
  length xi = length data /\ nonneg xi
  /\ Forall (fun p => 1 - fst p <= place v b (snd p)) (combine xi data).

Definition box_feasible (alpha : list Q) (C : Q) (data : labelled) : Prop :=
  length alpha = length data /\ Forall (fun a => 0 <= a /\ a <= C) alpha
  /\ dot alpha (labels data) == 0.

(** mᵢ − 1 + ξᵢ for each point, and C − αᵢ for each multiplier. *)
Definition leftover (v : vec) (b : Q) (xi : list Q) (data : labelled) : list Q :=
  map (fun p => place v b (snd p) - 1 + fst p) (combine xi data).
Definition headroom (alpha : list Q) (C : Q) : list Q := map (fun a => C - a) alpha.

(** Section 9b.3 (equation (7), the soft gap): with u = Σ αᵢyᵢxᵢ and Σ αᵢyᵢ = 0 the gap is
    ½‖v − u‖² + Σ αᵢ(mᵢ − 1 + ξᵢ) + Σ (C − αᵢ)ξᵢ. *)
Theorem soft_gap (v : vec) (b C : Q) (xi alpha : list Q) (data : labelled)
  (slack_each : length xi = length data)
  (one_each : length alpha = length data)
  (balance : dot alpha (labels data) == 0) :
  soft_primal v xi C - dual alpha (folded data)
  == (1 # 2) * norm2 (minus v (mix alpha (folded data)))
     + dot alpha (leftover v b xi data) + dot (headroom alpha C) xi.
Proof.
  assert (terms : dot alpha (leftover v b xi data) + dot (headroom alpha C) xi
    == dot v (mix alpha (folded data)) - b * dot alpha (labels data) - sum alpha + C * sum xi).
  { clear balance; unfold leftover, headroom, labels, folded.
    revert xi alpha slack_each one_each; induction data as [| [x y] data IH];
      intros [| k xi] [| a alpha] slack_each one_each; try discriminate.
    - simpl; rewrite dot_nil_r; ring.
    - cbn [map combine mix sum fold_right fst snd] in *; rewrite !dot_cons.
      rewrite dot_plus_r, !dot_times_r.
      pose proof (IH xi alpha ltac:(simpl in *; lia) ltac:(simpl in *; lia)) as rest.
      unfold place, sum in *; cbn [fst snd]; lra. }
  rewrite balance in terms; unfold soft_primal, primal, dual; rewrite norm2_minus; lra.
Qed.

Lemma leftover_nonneg (v : vec) (b : Q) (xi : list Q) (data : labelled)
  (feasible : Forall (fun p => 1 - fst p <= place v b (snd p)) (combine xi data)) :
  nonneg (leftover v b xi data).
Proof.
  unfold leftover; induction feasible; simpl; constructor; [lra | assumption].
Qed.

Lemma box_nonneg (alpha : list Q) (C : Q) (box : Forall (fun a => 0 <= a /\ a <= C) alpha) :
  nonneg alpha /\ nonneg (headroom alpha C).
Proof.
  induction box as [| a alpha [low high] _ [IH IH']]; simpl; split; constructor; auto; lra.
Qed.

(** Theorem 9b.3 (soft duality), the weak half: g(α) ≤ ½‖v‖² + C Σξ for all feasible
    (v, b, ξ) and α. *)
Theorem soft_weak_duality (v : vec) (b C : Q) (xi alpha : list Q) (data : labelled)
  (slack_feasible : soft_feasible v b xi data)
  (alpha_feasible : box_feasible alpha C data) :
  dual alpha (folded data) <= soft_primal v xi C.
Proof.
  destruct slack_feasible as [slack_each [nonneg_xi places]].
  destruct alpha_feasible as [one_each [box balance]].
  pose proof (soft_gap v b C xi alpha data slack_each one_each balance) as terms.
  destruct (box_nonneg alpha C box) as [low high].
  pose proof (norm2_nonneg (minus v (mix alpha (folded data)))).
  pose proof (products_nonneg _ _ low (leftover_nonneg v b xi data places)).
  pose proof (products_nonneg _ _ high nonneg_xi); lra.
Qed.

Definition soft_primal_optimal (v : vec) (b C : Q) (xi : list Q) (data : labelled) : Prop :=
  soft_feasible v b xi data
  /\ forall v' b' xi', soft_feasible v' b' xi' data -> soft_primal v xi C <= soft_primal v' xi' C.
Definition soft_dual_optimal (alpha : list Q) (C : Q) (data : labelled) : Prop :=
  box_feasible alpha C data
  /\ forall alpha', box_feasible alpha' C data
     -> dual alpha' (folded data) <= dual alpha (folded data).

(** Theorem 9b.3 (soft duality), what a certificate rests on: without a gap both are optimal. *)
Theorem soft_no_gap_optimal (v : vec) (b C : Q) (xi alpha : list Q) (data : labelled)
  (slack_feasible : soft_feasible v b xi data)
  (alpha_feasible : box_feasible alpha C data)
  (no_gap : soft_primal v xi C - dual alpha (folded data) == 0) :
  soft_primal_optimal v b C xi data /\ soft_dual_optimal alpha C data.
Proof.
  split; split; auto.
  - intros v' b' xi' feasible'.
    pose proof (soft_weak_duality v' b' C xi' alpha data feasible' alpha_feasible); lra.
  - intros alpha' feasible'.
    pose proof (soft_weak_duality v b C xi alpha' data slack_feasible feasible'); lra.
Qed.

(** Corollary 9b.4, the table: what the multiplier says about place m and slack ξ. *)
Definition kind (a k m C : Q) : Prop :=
  (a == 0 -> 1 <= m /\ k == 0)
  /\ (0 < a -> a < C -> m == 1 /\ k == 0)
  /\ (a == C -> m <= 1 /\ k == 1 - m).

Inductive table (v : vec) (b C : Q) : list Q -> list Q -> labelled -> Prop :=
  | no_points : table v b C [] [] []
  | one_more (a k : Q) (p : vec * Q) (alpha xi : list Q) (data : labelled) :
      kind a k (place v b p) C -> table v b C alpha xi data
      -> table v b C (a :: alpha) (k :: xi) (p :: data).

(** Corollary 9b.4 (three kinds of points), sufficient: if v = u, α is feasible and every point
    is of one of the three kinds, there is no gap, and both are optimal. *)
Theorem kinds_optimal (v : vec) (b C : Q) (xi alpha : list Q) (data : labelled)
  (alpha_feasible : box_feasible alpha C data)
  (stationary : same v (mix alpha (folded data)))
  (kinds : table v b C alpha xi data) :
  soft_primal v xi C - dual alpha (folded data) == 0
  /\ soft_primal_optimal v b C xi data /\ soft_dual_optimal alpha C data.
Proof.
  destruct alpha_feasible as [one_each [box balance]].
  assert (terms : soft_feasible v b xi data
    /\ dot alpha (leftover v b xi data) == 0 /\ dot (headroom alpha C) xi == 0).
  { clear balance stationary one_each.
    induction kinds as [| a k p alpha xi data [out [edge inside]] _ IH].
    - repeat split; constructor.
    - inversion_clear box as [| ? ? [low high] rest].
      destruct (IH rest) as [[long [nonneg_xi places]] [first second]].
      assert (point : 0 <= k /\ 1 - k <= place v b p
        /\ a * (place v b p - 1 + k) == 0 /\ (C - a) * k == 0).
      { destruct (Qlt_le_dec 0 a) as [some | none]; [destruct (Qlt_le_dec a C) as [less | full] |].
        - destruct (edge some less) as [m1 k0]; rewrite m1, k0; repeat split; lra.
        - destruct inside as [m1 k0]; [lra |]; assert (full' : a == C) by lra.
          rewrite k0, full'; repeat split; lra.
        - assert (a0 : a == 0) by lra; destruct (out a0) as [m1 k0].
          rewrite k0, a0; repeat split; lra. }
      unfold leftover, headroom in *; cbn [combine map fst snd]; rewrite !dot_cons.
      destruct point as [k0 [place_k [left0 head0]]].
      repeat split; try (constructor; assumption); [simpl; lia | lra | lra]. }
  destruct terms as [slack_feasible [first second]].
  assert (no_gap : soft_primal v xi C - dual alpha (folded data) == 0).
  { rewrite (soft_gap v b C xi alpha data (proj1 slack_feasible) one_each balance), first, second.
    assert (norm2 (minus v (mix alpha (folded data))) == 0) by (apply dot_zero, stationary); lra. }
  split; [exact no_gap |].
  apply soft_no_gap_optimal; auto; repeat split; assumption.
Qed.

(** Corollary 9b.4 (three kinds of points), necessary: feasible and without a gap, v = u and
    every point is of its kind. *)
Theorem no_gap_kinds (v : vec) (b C : Q) (xi alpha : list Q) (data : labelled)
  (fee : 0 < C)
  (slack_feasible : soft_feasible v b xi data)
  (alpha_feasible : box_feasible alpha C data)
  (no_gap : soft_primal v xi C - dual alpha (folded data) == 0) :
  same v (mix alpha (folded data)) /\ table v b C alpha xi data.
Proof.
  destruct slack_feasible as [slack_each [nonneg_xi places]].
  destruct alpha_feasible as [one_each [box balance]].
  rewrite (soft_gap v b C xi alpha data slack_each one_each balance) in no_gap.
  destruct (box_nonneg alpha C box) as [low high].
  pose proof (norm2_nonneg (minus v (mix alpha (folded data)))) as square.
  pose proof (leftover_nonneg v b xi data places) as left_nonneg.
  pose proof (products_nonneg _ _ low left_nonneg) as first.
  pose proof (products_nonneg _ _ high nonneg_xi) as second.
  split; [apply norm2_zero; lra |].
  assert (first0 : dot alpha (leftover v b xi data) == 0) by lra.
  assert (second0 : dot (headroom alpha C) xi == 0) by lra.
  clear - fee slack_each one_each places low high left_nonneg nonneg_xi first0 second0.
  apply products_zero in first0; auto; apply products_zero in second0; auto.
  revert xi alpha slack_each one_each places low high left_nonneg nonneg_xi first0 second0.
  induction data as [| p data IH]; intros [| k xi] [| a alpha] slack_each one_each;
    try discriminate; [constructor |]; intros places low high left_nonneg nonneg_xi first0 second0.
  unfold leftover, headroom in *; cbn [combine map fst snd] in *.
  inversion_clear places as [| ? ? place_k places']; cbn [fst snd] in place_k.
  inversion_clear low as [| ? ? low_a low'].
  inversion_clear high as [| ? ? high_a high'].
  inversion_clear left_nonneg as [| ? ? left_a left'].
  inversion_clear nonneg_xi as [| ? ? k0 xi'].
  inversion_clear first0 as [| ? ? first_a first'].
  inversion_clear second0 as [| ? ? second_a second']; cbn [fst snd] in *.
  constructor; [| apply IH; auto; simpl in *; lia].
  repeat split; intros.
  all: try (assert (a0 : a == 0) by assumption; rewrite a0 in *).
  all: nra.
Qed.

(** ** The hard margin, with a threshold

    Section 9b.1: the soft margin without slack. *)

Definition hard_feasible (v : vec) (b : Q) (data : labelled) : Prop :=
  Forall (fun p => 1 <= place v b p) data.
Definition balanced (alpha : list Q) (data : labelled) : Prop :=
  length alpha = length data /\ nonneg alpha /\ dot alpha (labels data) == 0.

(** Section 9b.1 (weak duality with a threshold): Σ αᵢyᵢ = 0 is the one new constraint. *)
Theorem threshold_weak_duality (v : vec) (b : Q) (alpha : list Q) (data : labelled)
  (v_feasible : hard_feasible v b data)
  (alpha_feasible : balanced alpha data) :
  dual alpha (folded data) <= primal v.
Proof.
  destruct alpha_feasible as [one_each [nonneg_alpha balance]].
  set (none := repeat 0 (length data)).
  assert (zero : is_zero none) by apply zero_repeat.
  assert (no_slack : sum none == 0) by apply sum_zero, zero.
  pose proof (soft_gap v b 0 none alpha data ltac:(apply repeat_length) one_each balance) as terms.
  rewrite (dot_comm (headroom alpha 0)), (dot_zero none) in terms by exact zero.
  assert (places : nonneg (leftover v b none data)).
  { apply leftover_nonneg; unfold none; clear - v_feasible.
    induction v_feasible; simpl; constructor; simpl; [lra | assumption]. }
  pose proof (products_nonneg _ _ nonneg_alpha places).
  pose proof (norm2_nonneg (minus v (mix alpha (folded data)))).
  unfold soft_primal in terms; lra.
Qed.

(** Section 9b.1 (no gap with a threshold): then both are optimal, among all thresholds. *)
Theorem threshold_no_gap_optimal (v : vec) (b : Q) (alpha : list Q) (data : labelled)
  (v_feasible : hard_feasible v b data)
  (alpha_feasible : balanced alpha data)
  (no_gap : primal v - dual alpha (folded data) == 0) :
  (forall v' b', hard_feasible v' b' data -> primal v <= primal v')
  /\ (forall alpha', balanced alpha' data -> dual alpha' (folded data) <= dual alpha (folded data)).
Proof.
  split.
  - intros v' b' feasible'.
    pose proof (threshold_weak_duality v' b' alpha data feasible' alpha_feasible); lra.
  - intros alpha' feasible'.
    pose proof (threshold_weak_duality v b alpha' data v_feasible feasible'); lra.
Qed.
