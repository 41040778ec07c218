(** * Optimal, hence without a gap (notebook 09)

    [duality.v] shows that the KKT conditions suffice. They are also necessary: a v that solves
    the primal has multipliers. For if v were no combination of the points on the edge of the
    street, Gordan's theorem would give a direction in which v can move and become shorter. *)

From Coq Require Import Qminmax.
From Halfspaces Require Import vectors separation gordan duality.

(** On the edge: ⟨v,z⟩ = 1. *)
Definition on_edge (v z : vec) : bool := Qeq_bool (dot v z) 1.

(** In a direction that loses nothing on the edge, all constraints survive a small step. *)
Lemma small_step (v u : vec) (zs : list vec)
  (feasible : primal_feasible v zs)
  (edge : forall z, In z zs -> dot v z == 1 -> 0 < dot u z) :
  exists t0, 0 < t0 /\ forall t, 0 < t -> t <= t0 -> primal_feasible (plus v (times t u)) zs.
Proof.
  induction feasible as [| z zs inside _ IH].
  - exists 1; split; [lra | intros; constructor].
  - destruct IH as [t0 [positive enough]]; [intros z' later; apply edge; right; exact later |].
    destruct (Qlt_le_dec (dot u z) 0) as [losing | fine].
    + (* z is not on the edge, and there is some way to go *)
      assert (off : 1 < dot v z).
      { destruct (Qlt_le_dec 1 (dot v z)) as [yes | no]; [exact yes |].
        pose proof (edge z (or_introl eq_refl) ltac:(lra)); lra. }
      set (t1 := (dot v z - 1) / - dot u z).
      assert (far : 0 < t1) by (apply Qlt_shift_div_l; lra).
      assert (E : t1 * - dot u z == dot v z - 1) by (unfold t1; field; lra).
      exists (Qmin t0 t1); split; [apply Q.min_glb_lt; assumption |].
      intros t some short.
      pose proof (Q.le_min_l t0 t1); pose proof (Q.le_min_r t0 t1).
      constructor; [| apply enough; lra].
      rewrite dot_plus_l, dot_times_l; nra.
    + exists t0; split; [exact positive |]; intros t some short.
      constructor; [| apply enough; assumption]; rewrite dot_plus_l, dot_times_l; nra.
Qed.

(** Weights for the points on the edge, and 0 for all others. *)
Lemma extend (v : vec) (zs : list vec) (l : list Q)
  (long : length l = length (filter (on_edge v) zs)) (weights : nonneg l) :
  exists alpha, dual_feasible alpha zs
    /\ (forall w, dot w (mix alpha zs) == dot w (mix l (filter (on_edge v) zs)))
    /\ Forall (fun p => fst p * snd p == 0) (combine alpha (map (fun z => dot v z - 1) zs)).
Proof.
  revert l long weights; induction zs as [| z zs IH]; intros l long weights.
  - exists []; repeat split; try constructor; intro w; destruct l; reflexivity.
  - simpl in *; destruct (on_edge v z) eqn:edge.
    + destruct l as [| a l]; [discriminate |]; inversion_clear weights as [| ? ? a0 weights'].
      destruct (IH l ltac:(simpl in long; lia) weights') as [alpha [[len pos] [value slack]]].
      exists (a :: alpha); repeat split; [simpl; lia | constructor; assumption | |].
      * intro w; cbn [mix]; rewrite !dot_plus_r, value; reflexivity.
      * constructor; [| exact slack]; apply Qeq_bool_iff in edge; simpl; rewrite edge; ring.
    + destruct (IH l long weights) as [alpha [[len pos] [value slack]]].
      exists (0 :: alpha); repeat split; [simpl; lia | constructor; [lra | assumption] | |].
      * intro w; cbn [mix]; rewrite dot_plus_r, dot_times_r, value; ring.
      * constructor; [simpl; ring | exact slack].
Qed.

(** Theorem 9.10 (KKT conditions), multipliers exist: if v solves the primal, some α satisfies
    the four lines with it. *)
Theorem optimal_kkt (v : vec) (zs : list vec)
  (optimal : primal_optimal v zs) :
  exists alpha, kkt v alpha zs.
Proof.
  destruct optimal as [feasible shortest].
  set (edge := filter (on_edge v) zs).
  assert (edge_spec : forall z, In z edge <-> In z zs /\ dot v z == 1).
  { intro z; unfold edge; rewrite filter_In; unfold on_edge; rewrite Qeq_bool_iff; reflexivity. }
  destruct (gordan (times (-1) v :: edge)) as [[u better] | [l [[long [weights total]] zero]]].
  - (* a direction u that gains on the edge and against v: then v + tu is shorter *)
    exfalso.
    destruct (small_step v u zs feasible) as [t0 [positive enough]].
    { intros z known tight; apply better; right; apply edge_spec; auto. }
    pose proof (better (times (-1) v) (or_introl eq_refl)) as against.
    rewrite dot_times_r in against.
    set (t1 := - dot u v / (norm2 u + 1)); pose proof (norm2_nonneg u) as square.
    assert (far : 0 < t1) by (apply Qlt_shift_div_l; lra).
    assert (E : t1 * (norm2 u + 1) == - dot u v) by (unfold t1; field; lra).
    set (t := Qmin t0 t1).
    assert (some : 0 < t) by (apply Q.min_glb_lt; assumption).
    assert (near : t <= t0) by apply Q.le_min_l.
    assert (short : t <= t1) by apply Q.le_min_r.
    pose proof (shortest _ (enough t some near)) as less; unfold primal in less.
    rewrite norm2_plus, norm2_times, dot_times_r, (dot_comm v u) in less.
    assert (step : t * (norm2 u + 1) <= - dot u v) by nra.
    assert (t * (t * (norm2 u + 1)) <= t * - dot u v) by nra.
    nra.
  - (* weights: λ₀ v = Σ λᵢzᵢ over the edge, and λ₀ > 0, for ⟨v,zᵢ⟩ = 1 there *)
    destruct l as [| l0 l]; [discriminate |]; simpl in long; injection long as long.
    inversion_clear weights as [| ? ? l0_nonneg weights']; cbn [mix] in zero.
    assert (scores : forall w, dot w (mix l edge) == l0 * dot w v).
    { intro w; pose proof (dot_zero _ w zero) as E; rewrite dot_comm, dot_plus_r in E.
      rewrite !dot_times_r in E; lra. }
    assert (on_v : dot v (mix l edge) == sum l).
    { rewrite dot_mix; clear - long edge_spec.
      assert (ones : forall z, In z edge -> dot v z == 1)
        by (intros z known; apply edge_spec, known).
      clearbody edge; clear edge_spec; revert l long.
      induction edge as [| z edge IH]; intros [| a l] long; try discriminate; [reflexivity |].
      cbn [map]; rewrite dot_cons, (ones z (or_introl eq_refl)), IH;
        [simpl; ring | intros z' later; apply ones; right; exact later | simpl in long; lia]. }
    rewrite scores in on_v; simpl sum in total.
    assert (l0_pos : 0 < l0).
    { destruct (Qlt_le_dec 0 l0) as [yes | no]; [exact yes |]; assert (z0 : l0 == 0) by lra.
      fold (sum l) in total; rewrite z0 in on_v, total; lra. }
    destruct (extend v zs (times (/ l0) l)) as [alpha [alpha_feasible [value slack]]].
    { unfold times; rewrite map_length; exact long. }
    { pose proof (Qinv_lt_0_compat _ l0_pos) as inverse; clear - weights' inverse.
      set (c := / l0) in *; clearbody c.
      induction weights'; simpl; constructor; [nra | assumption]. }
    exists alpha; split; auto.
    apply same_test; intro w; rewrite value, dot_mix, dot_times_l, <- dot_mix.
    fold edge; rewrite scores; field; lra.
Qed.

(** Theorem 9.9 (strong duality), where the primal has a solution: some α has the same value, and
    it solves the dual. *)
Theorem strong_duality (v : vec) (zs : list vec)
  (optimal : primal_optimal v zs) :
  exists alpha, dual_optimal alpha zs /\ dual alpha zs == primal v.
Proof.
  destruct (optimal_kkt v zs optimal) as [alpha four_lines]; exists alpha.
  pose proof (kkt_no_gap v alpha zs four_lines) as no_gap.
  split; [apply (kkt_optimal v alpha zs four_lines) | lra].
Qed.

(** Theorem 9.10 (KKT conditions), (a) ⇒ (b): if v solves the primal and α the dual, the four
    lines hold. *)
Theorem both_optimal_kkt (v : vec) (alpha : list Q) (zs : list vec)
  (v_optimal : primal_optimal v zs)
  (alpha_optimal : dual_optimal alpha zs) :
  kkt v alpha zs.
Proof.
  destruct (strong_duality v zs v_optimal) as [best [[best_feasible _] equal]].
  destruct v_optimal as [v_feasible _], alpha_optimal as [alpha_feasible most].
  apply no_gap_kkt; auto.
  pose proof (most best best_feasible).
  pose proof (weak_duality v alpha zs v_feasible alpha_feasible); lra.
Qed.

(** Proposition 9.3 (existence and uniqueness), at most one: two solutions of the primal are the
    same. *)
Theorem solution_unique (v v' : vec) (zs : list vec)
  (optimal : primal_optimal v zs)
  (optimal_too : primal_optimal v' zs) :
  same v' v.
Proof.
  (* both have a gap of 0 with the same α, so both are Σ αᵢzᵢ *)
  destruct (optimal_kkt v zs optimal) as [alpha four_lines].
  pose proof (kkt_no_gap v alpha zs four_lines) as no_gap.
  destruct four_lines as [feasible alpha_feasible stationary _].
  destruct optimal_too as [feasible' shortest'].
  pose proof (shortest' v feasible) as short.
  pose proof (weak_duality v' alpha zs feasible' alpha_feasible) as weak.
  destruct (no_gap_kkt v' alpha zs feasible' alpha_feasible ltac:(lra)) as [_ _ stationary_too _].
  apply same_test; intro w.
  rewrite (dot_same _ _ w stationary), (dot_same _ _ w stationary_too); reflexivity.
Qed.
