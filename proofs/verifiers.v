(** * Verifiers that have been verified

    What a certificate of the library claims can be checked by a few lines of arithmetic on lists
    of whole numbers. Here are such lines, and the proof that they are never too kind: where
    [verify] says true, the claim holds, about these very data. Coq itself runs them on
    certificates that the library has written, honest and forged. *)

From Halfspaces Require Import vectors mistake_bound separation.
Open Scope Z_scope.

(** ** The programs *)

Fixpoint dotZ (u v : list Z) : Z :=
  match u, v with
  | a :: u', b :: v' => a * b + dotZ u' v'
  | _, _ => 0
  end.

Fixpoint plusZ (u v : list Z) : list Z :=
  match u, v with
  | a :: u', b :: v' => a + b :: plusZ u' v'
  | [], _ => v
  | _, [] => u
  end.

Definition timesZ (c : Z) (v : list Z) : list Z := map (Z.mul c) v.

Fixpoint mixZ (cs : list Z) (vs : list (list Z)) : list Z :=
  match cs, vs with
  | c :: cs', v :: vs' => plusZ (timesZ c v) (mixZ cs' vs')
  | _, _ => []
  end.

Definition sumZ (cs : list Z) : Z := fold_right Z.add 0 cs.

(** Points with labels, as pairs (x, y); and z = yx. *)
Definition sample := list (list Z * Z).
Definition foldZ (data : sample) : list (list Z) := map (fun p => timesZ (snd p) (fst p)) data.

(** There are points, they have d coordinates each, and labels are ±1. *)
Definition well_formed (d : nat) (data : sample) : bool :=
  negb (length data =? 0)%nat
  && forallb (fun p => (length (fst p) =? d)%nat && ((snd p =? 1) || (snd p =? -1))) data.

(** One line of the ledger: the point of the mistake, y⟨w,x⟩ before it, y⟨w*,x⟩, and after it
    ⟨w,w*⟩ and ‖w‖². *)
Record row := Row { index : nat; score : Z; gain : Z; progress : Z; square : Z }.

(** The books of a run, kept anew. *)
Fixpoint book (zs : list (list Z)) (w_star w : list Z) (picks : list nat) : list row :=
  match picks with
  | [] => []
  | i :: rest =>
      let z := nth i zs [] in
      let w' := plusZ w z in
      Row i (dotZ w z) (dotZ w_star z) (dotZ w' w_star) (dotZ w' w') :: book zs w_star w' rest
  end.

Definition row_eqb (r s : row) : bool :=
  (index r =? index s)%nat && (score r =? score s) && (gain r =? gain s)
  && (progress r =? progress s) && (square r =? square s).

Fixpoint rows_eqb (rs ss : list row) : bool :=
  match rs, ss with
  | r :: rs', s :: ss' => row_eqb r s && rows_eqb rs' ss'
  | [], [] => true
  | _, _ => false
  end.

Definition afterZ (zs : list (list Z)) (picks : list nat) : list Z :=
  fold_left (fun w i => plusZ w (nth i zs [])) picks [].

Inductive certificate :=
  (** the halfspace ⟨w,x⟩ ≥ b separates these data *)
  | Separator (data : sample) (w : list Z) (b : Z)
  (** no halfspace does (with [threshold]: of any b, without: of b = 0), for the weights
      λᵢ = lᵢ/n cancel *)
  | Weights (threshold : bool) (data : sample) (l : list Z) (n : Z)
  (** a run from w = 0, mistake by mistake, with w*, γ̂, R² and the bound p/q *)
  | Ledger (data : sample) (w_star : list Z) (g R2 p q : Z) (rows : list row) (converged : bool).

Definition verify_separator (data : sample) (w : list Z) (b : Z) : bool :=
  well_formed (length w) data && forallb (fun p => 0 <? snd p * (dotZ w (fst p) - b)) data.

Definition verify_weights (threshold : bool) (data : sample) (l : list Z) (n : Z) : bool :=
  well_formed (length (fst (hd ([], 0) data))) data
  && (length l =? length data)%nat
  && (0 <? n) && forallb (fun c => 0 <=? c) l && (sumZ l =? n)
  && forallb (fun c => c =? 0) (mixZ l (foldZ data))
  && (if threshold then dotZ l (map snd data) =? 0 else true).

Definition verify_ledger (data : sample) (w_star : list Z) (g R2 p q : Z) (rows : list row)
    (converged : bool) : bool :=
  let zs := foldZ data in
  let picks := map index rows in
  well_formed (length w_star) data
  && forallb (fun i => (i <? length data)%nat) picks
  && rows_eqb rows (book zs w_star [] picks)
  && forallb (fun r => score r <=? 0) rows
  && (0 <? g)
  && forallb (fun z => g <=? dotZ w_star z) zs && existsb (fun z => g =? dotZ w_star z) zs
  && forallb (fun z => dotZ z z <=? R2) zs && existsb (fun z => R2 =? dotZ z z) zs
  && (0 <? q) && (p * (g * g) =? R2 * dotZ w_star w_star * q)
  && (if converged then forallb (fun z => 0 <? dotZ (afterZ zs picks) z) zs else true).

Definition verify (c : certificate) : bool :=
  match c with
  | Separator data w b => verify_separator data w b
  | Weights threshold data l n => verify_weights threshold data l n
  | Ledger data w_star g R2 p q rows converged =>
      verify_ledger data w_star g R2 p q rows converged
  end.

(** ** What they claim *)

Open Scope Q_scope.

(** Whole numbers among the rational ones. *)
Definition embed (v : list Z) : vec := map inject_Z v.
Definition embed_sample (data : sample) : labelled :=
  map (fun p => (embed (fst p), inject_Z (snd p))) data.

Definition are_data (d : nat) (data : labelled) : Prop :=
  data <> [] /\ forall x y, In (x, y) data -> length x = d /\ (y == 1 \/ y == -1).

(** The run that a ledger tells of. *)
Definition picked (data : sample) (rows : list row) : list vec :=
  map (fun r => nth (index r) (folded (embed_sample data)) []) rows.

(** In words: the comments of [certificate] above. *)
Definition claim (c : certificate) : Prop :=
  match c with
  | Separator data w b =>
      are_data (length w) (embed_sample data)
      /\ separates_at (embed w) (inject_Z b) (embed_sample data)
  | Weights threshold data l n =>
      are_data (length (fst (hd ([], 0%Z) data))) (embed_sample data)
      /\ if threshold then forall w b, ~ separates_at w b (embed_sample data)
         else forall w, ~ separates w (folded (embed_sample data))
  | Ledger data w_star g R2 p q rows converged =>
      let zs := folded (embed_sample data) in
      are_data (length w_star) (embed_sample data)
      (* it is a run, and its books are right *)
      /\ run zs (picked data rows)
      /\ rows = book (foldZ data) w_star [] (map index rows)
      (* γ̂ is the least ⟨w*,z⟩, R² the largest ‖z‖² *)
      /\ (forall z, In z zs -> inject_Z g <= dot (embed w_star) z)
      /\ (exists z, In z zs /\ inject_Z g == dot (embed w_star) z)
      /\ (forall z, In z zs -> norm2 z <= inject_Z R2)
      /\ (exists z, In z zs /\ norm2 z == inject_Z R2)
      (* the bound is what it should be, and holds *)
      /\ inject_Z p / inject_Z q
         == inject_Z R2 * norm2 (embed w_star) / (inject_Z g * inject_Z g)
      /\ of_nat (length rows) <= inject_Z p / inject_Z q
      /\ (converged = true -> separates (after [] (picked data rows)) zs)
  end.

(** ** Why a verifier that says true is right *)

(** Sums and products of whole numbers are the same among the rational ones. *)
Lemma dot_embed (u v : list Z) : dot (embed u) (embed v) = inject_Z (dotZ u v).
Proof.
  revert v; induction u as [| a u IH]; intros [| b v]; simpl; try reflexivity.
  unfold embed in IH; rewrite IH, inject_Z_plus, inject_Z_mult; reflexivity.
Qed.

Lemma plus_embed (u v : list Z) : plus (embed u) (embed v) = embed (plusZ u v).
Proof.
  revert v; induction u as [| a u IH]; intros [| b v]; simpl; try reflexivity.
  unfold embed in *; rewrite IH, inject_Z_plus; reflexivity.
Qed.

Lemma times_embed (c : Z) (v : list Z) : times (inject_Z c) (embed v) = embed (timesZ c v).
Proof.
  unfold times, embed, timesZ; rewrite !map_map; apply map_ext; intro a.
  rewrite inject_Z_mult; reflexivity.
Qed.

Lemma mix_embed (cs : list Z) (vs : list (list Z)) :
  mix (embed cs) (map embed vs) = embed (mixZ cs vs).
Proof.
  revert vs; induction cs as [| c cs IH]; intros [| v vs]; simpl; try reflexivity.
  fold (embed cs); rewrite times_embed, IH, plus_embed; reflexivity.
Qed.

Lemma folded_embed (data : sample) : folded (embed_sample data) = map embed (foldZ data).
Proof.
  unfold folded, embed_sample, foldZ; rewrite !map_map; apply map_ext; intro p.
  apply times_embed.
Qed.

Lemma sum_embed (cs : list Z) : sum (embed cs) = inject_Z (sumZ cs).
Proof.
  induction cs as [| c cs IH]; simpl; [reflexivity |].
  unfold embed, sum in *; rewrite IH, inject_Z_plus; reflexivity.
Qed.

Lemma embed_labels (data : sample) : map snd (embed_sample data) = embed (map snd data).
Proof. unfold embed_sample, embed; rewrite !map_map; reflexivity. Qed.

Lemma length_sample (data : sample) : length (embed_sample data) = length data.
Proof. apply map_length. Qed.

Lemma well_formed_sound (d : nat) (data : sample) (test : well_formed d data = true) :
  are_data d (embed_sample data).
Proof.
  apply andb_prop in test; destruct test as [some points]; split.
  - destruct data; [discriminate some | discriminate].
  - intros x y known; apply in_map_iff in known; destruct known as [[a b] [equal known]].
    injection equal as <- <-; simpl.
    apply (proj1 (forallb_forall _ _) points) in known; simpl in known.
    apply andb_prop in known; destruct known as [long label].
    apply Nat.eqb_eq in long; unfold embed; rewrite map_length; split; [exact long |].
    apply Bool.orb_prop in label; destruct label as [label | label]; apply Z.eqb_eq in label;
      subst b; [left | right]; reflexivity.
Qed.

(** A separator that is accepted separates. *)
Lemma separator_sound (data : sample) (w : list Z) (b : Z)
  (test : verify_separator data w b = true) :
  claim (Separator data w b).
Proof.
  apply andb_prop in test; destruct test as [form points].
  split; [apply well_formed_sound, form |].
  intros x y known; apply in_map_iff in known; destruct known as [[a c] [equal known]].
  injection equal as <- <-; simpl.
  apply (proj1 (forallb_forall _ _) points), Z.ltb_lt in known; simpl in known.
  rewrite dot_embed; unfold Qminus; rewrite <- inject_Z_opp, <- inject_Z_plus, <- inject_Z_mult.
  change 0 with (inject_Z 0); rewrite <- Zlt_Qlt; lia.
Qed.

(** λ = l/n in place of l. *)
Lemma mix_times (u : vec) (c : Q) (l : list Q) (vs : list vec) :
  dot u (mix (times c l) vs) == c * dot u (mix l vs).
Proof. rewrite !dot_mix; apply dot_times_l. Qed.

(** Weights that are accepted are the weights of Theorem 3.3. *)
Lemma weights_sound (threshold : bool) (data : sample) (l : list Z) (n : Z)
  (test : verify_weights threshold data l n = true) :
  claim (Weights threshold data l n).
Proof.
  unfold verify_weights in test; rewrite !Bool.andb_true_iff in test.
  destruct test as [[[[[[form long] some] nonneg] total] zero] balance].
  apply Nat.eqb_eq in long; apply Z.ltb_lt in some; apply Z.eqb_eq in total.
  set (lambda := times (/ inject_Z n) (embed l)).
  assert (scale : 0 < inject_Z n) by (change 0 with (inject_Z 0); rewrite <- Zlt_Qlt; exact some).
  pose proof (Qinv_lt_0_compat _ scale) as inverse.
  assert (weights : convex lambda (length data)).
  { repeat split.
    - unfold lambda, times, embed; rewrite !map_length; exact long.
    - apply Forall_forall; intros c known.
      apply in_map_iff in known; destruct known as [a [<- known]].
      apply in_map_iff in known; destruct known as [k [<- known]].
      apply (proj1 (forallb_forall _ _) nonneg), Z.leb_le in known.
      assert (0 <= inject_Z k) by (change 0 with (inject_Z 0); rewrite <- Zle_Qle; exact known).
      nra.
    - unfold lambda; rewrite sum_times, sum_embed, total; field; lra. }
  assert (cancelled : is_zero (mix lambda (folded (embed_sample data)))).
  { apply zero_test; intro u; unfold lambda; rewrite mix_times, folded_embed, mix_embed.
    assert (zeros : is_zero (embed (mixZ l (foldZ data)))).
    { apply Forall_forall; intros c known.
      apply in_map_iff in known; destruct known as [a [<- known]].
      apply (proj1 (forallb_forall _ _) zero), Z.eqb_eq in known; subst a; reflexivity. }
    rewrite (dot_comm u), dot_zero by exact zeros; ring. }
  split; [apply well_formed_sound, form |]; destruct threshold.
  - apply weights_exclude_halfspaces with lambda; split; [rewrite length_sample; exact weights |].
    split; [exact cancelled |].
    unfold lambda; rewrite dot_times_l, embed_labels, dot_embed.
    apply Z.eqb_eq in balance; rewrite balance; ring.
  - apply weights_exclude_separators with lambda; split; [| exact cancelled].
    unfold folded; rewrite map_length, length_sample; exact weights.
Qed.

Lemma rows_eqb_eq (rs ss : list row) (test : rows_eqb rs ss = true) : rs = ss.
Proof.
  revert ss test; induction rs as [| r rs IH]; intros [| s ss] test; simpl in test;
    try discriminate; [reflexivity |].
  apply andb_prop in test; destruct test as [first rest]; rewrite (IH ss rest); f_equal.
  unfold row_eqb in first; rewrite !Bool.andb_true_iff in first.
  destruct first as [[[[i a] b] c] d], r, s; simpl in *.
  apply Nat.eqb_eq in i; apply Z.eqb_eq in a, b, c, d; congruence.
Qed.

(** The z of an index, among whole numbers and among rational ones. *)
Lemma nth_folded (data : sample) (i : nat) :
  nth i (folded (embed_sample data)) [] = embed (nth i (foldZ data) []).
Proof. rewrite folded_embed; exact (map_nth embed (foldZ data) [] i). Qed.

(** Scores ≤ 0 in honest books: every pick was a mistake. *)
Lemma book_mistakes (data : sample) (w_star w : list Z) (picks : list nat)
  (scores : forallb (fun r => (score r <=? 0)%Z) (book (foldZ data) w_star w picks) = true) :
  all_mistakes (embed w) (map (fun i => nth i (folded (embed_sample data)) []) picks).
Proof.
  revert w scores; induction picks as [| i picks IH]; intros w scores; simpl in *; [exact I |].
  apply andb_prop in scores; destruct scores as [first rest]; rewrite nth_folded; split.
  - apply Z.leb_le in first; rewrite dot_embed; change 0 with (inject_Z 0).
    rewrite <- Zle_Qle; exact first.
  - rewrite plus_embed; apply IH, rest.
Qed.

Lemma after_embed (data : sample) (w : list Z) (picks : list nat) :
  after (embed w) (map (fun i => nth i (folded (embed_sample data)) []) picks)
  = embed (fold_left (fun w i => plusZ w (nth i (foldZ data) [])) picks w).
Proof.
  revert w; induction picks as [| i picks IH]; intro w; simpl; [reflexivity |].
  rewrite nth_folded, plus_embed; apply IH.
Qed.

(** A ledger that is accepted is one of a run, and the bound is that of Theorem 5.1. *)
Lemma ledger_sound (data : sample) (w_star : list Z) (g R2 p q : Z) (rows : list row)
  (converged : bool)
  (test : verify_ledger data w_star g R2 p q rows converged = true) :
  claim (Ledger data w_star g R2 p q rows converged).
Proof.
  unfold verify_ledger in test; cbv zeta in test; rewrite !Bool.andb_true_iff in test.
  destruct test as [[[[[[[[[[[form range] books] scores] g0] least] least'] largest] largest'] q0]
    bound] finished].
  apply rows_eqb_eq in books; apply Z.ltb_lt in g0, q0; apply Z.eqb_eq in bound.
  pose proof (well_formed_sound _ _ form) as data_ok.
  assert (g_pos : 0 < inject_Z g) by (change 0 with (inject_Z 0); rewrite <- Zlt_Qlt; exact g0).
  assert (q_pos : 0 < inject_Z q) by (change 0 with (inject_Z 0); rewrite <- Zlt_Qlt; exact q0).
  assert (picks : picked data rows
    = map (fun i => nth i (folded (embed_sample data)) []) (map index rows)).
  { unfold picked; rewrite map_map; reflexivity. }
  assert (is_run : run (folded (embed_sample data)) (picked data rows)).
  { rewrite picks; split.
    - intros z known; apply in_map_iff in known; destruct known as [i [<- known]].
      apply nth_In; unfold folded; rewrite map_length, length_sample.
      apply (proj1 (forallb_forall _ _) range), Nat.ltb_lt in known; exact known.
    - change [] with (embed []); apply (book_mistakes data w_star).
      rewrite <- books; exact scores. }
  assert (margin : forall z, In z (folded (embed_sample data)) ->
    inject_Z g <= dot (embed w_star) z).
  { intros z known; rewrite folded_embed in known; apply in_map_iff in known.
    destruct known as [a [<- known]]; rewrite dot_embed, <- Zle_Qle.
    apply (proj1 (forallb_forall _ _) least), Z.leb_le in known; exact known. }
  assert (radius : forall z, In z (folded (embed_sample data)) -> norm2 z <= inject_Z R2).
  { intros z known; rewrite folded_embed in known; apply in_map_iff in known.
    destruct known as [a [<- known]]; unfold norm2; rewrite dot_embed, <- Zle_Qle.
    apply (proj1 (forallb_forall _ _) largest), Z.leb_le in known; exact known. }
  assert (far : exists z, In z (folded (embed_sample data)) /\ norm2 z == inject_Z R2).
  { apply existsb_exists in largest'; destruct largest' as [a [known equal]].
    exists (embed a); rewrite folded_embed; split; [apply in_map, known |].
    unfold norm2; rewrite dot_embed; apply Z.eqb_eq in equal; rewrite equal; reflexivity. }
  assert (R2_nonneg : 0 <= inject_Z R2).
  { destruct far as [z [_ equal]]; rewrite <- equal; apply norm2_nonneg. }
  assert (value : inject_Z p / inject_Z q
    == inject_Z R2 * norm2 (embed w_star) / (inject_Z g * inject_Z g)).
  { apply (f_equal inject_Z) in bound; rewrite !inject_Z_mult in bound.
    unfold norm2; rewrite dot_embed.
    apply Qmult_inj_r with (inject_Z q * (inject_Z g * inject_Z g)).
    - intro zero; assert (0 < inject_Z q * (inject_Z g * inject_Z g))
        by (repeat apply Qmult_lt_0_compat; assumption); lra.
    - setoid_replace (inject_Z p / inject_Z q * (inject_Z q * (inject_Z g * inject_Z g)))
        with (inject_Z p * (inject_Z g * inject_Z g)) by (field; lra).
      rewrite bound; field; lra. }
  simpl; split; [exact data_ok |]; split; [exact is_run |]; split; [exact books |].
  split; [exact margin |]; split.
  { apply existsb_exists in least'; destruct least' as [a [known equal]].
    exists (embed a); rewrite folded_embed; split; [apply in_map, known |].
    rewrite dot_embed; apply Z.eqb_eq in equal; rewrite equal; reflexivity. }
  split; [exact radius |]; split; [exact far |]; split; [exact value |]; split.
  - rewrite value; unfold picked in is_run.
    rewrite <- (map_length (fun r => nth (index r) (folded (embed_sample data)) []) rows).
    exact (novikoff _ _ _ _ _ g_pos margin radius R2_nonneg is_run).
  - intros -> z known; pose proof (after_embed data [] (map index rows)) as final.
    change (embed []) with (@nil Q) in final; rewrite picks, final.
    rewrite folded_embed in known; apply in_map_iff in known.
    destruct known as [a [<- known]]; rewrite dot_embed.
    apply (proj1 (forallb_forall _ _) finished), Z.ltb_lt in known.
    change 0 with (inject_Z 0); rewrite <- Zlt_Qlt; exact known.
Qed.

(** Theorems 3.3 and 5.1 (their verifiers): whatever [verify] accepts is true of these data. *)
Theorem verify_sound (c : certificate)
  (accepted : verify c = true) :
  claim c.
Proof.
  destruct c; [apply separator_sound | apply weights_sound | apply ledger_sound];
    exact accepted.
Qed.
