import { describe, expect, it } from "vitest";
import type { Account } from "#src/accounts/account.ts";
import type { Locale } from "#src/shared/locale.ts";
import { Secret } from "#src/shared/secret.ts";
import { HOUR, MINUTE } from "#src/shared/time.ts";
import { anaKey, noticeTo } from "../database/builders.ts";
import {
  actor,
  ANA,
  BRUNO,
  connect,
  disconnect,
  ghostsOf,
  GUILD,
  lostOne,
  type MoneyStage,
  openMoneyStage,
  order,
  refusal,
  textsOf,
} from "./money-stage.ts";

const ELSEWHERE = "900000000000000002";
const BRUNO_KEY = new Secret("sk_sandbox_ana_next_2b3c4d5e");
const BRUNO_THERE = { guildId: ELSEWHERE, userId: BRUNO };

const connectBruno = (stage: MoneyStage, key = BRUNO_KEY, walletUser = ANA): Promise<Account> =>
  connect(stage, { ownerId: BRUNO, guildId: ELSEWHERE, ownerVerified: false }, key, walletUser);
const refused = (stage: MoneyStage) =>
  refusal(stage.money.withdrawals.prepare(order({ actor: actor(BRUNO_THERE) })));
const decide = (stage: MoneyStage, opId: string, happened: boolean, typedCode = opId) =>
  stage.money.withdrawals.decide({ actor: actor(BRUNO_THERE), opId, typedCode, happened });

const pauseBruno = ({ stores, clock }: MoneyStage, { id }: Account): Promise<unknown> =>
  stores.accounts.pause(id, clock.now(), noticeTo(BRUNO, "paused"));
const disconnectBruno = (stage: MoneyStage): Promise<unknown> =>
  disconnect(stage, { guildId: ELSEWHERE, ownerId: BRUNO });
const ghostTo = ({ db }: MoneyStage, userId: string) =>
  db
    .selectFrom("outbox")
    .select(["guild_id", "payload"])
    .where("dedupe_key", "like", `ghost|%|LATE|${userId}`)
    .executeTakeFirstOrThrow();

const NOT_FOUND = { kind: "withdrawal_not_found" };

describe("S2: a withdrawal that its owner left undecided", () => {
  /** Ana's withdrawal of unknown outcome. */
  const unknown = async (works: boolean, locale: Locale = "pt-BR") => {
    const stage = await openMoneyStage();
    return { stage, op: await lostOne(stage, works, { actor: actor({ locale }) }) };
  };
  /** The same waits for a decision, Ana has disconnected, and Bruno has connected the account. */
  const left = async (works = false, locale: Locale = "pt-BR") => {
    const { stage, op } = await unknown(works, locale);
    stage.failing.set("withdrawals", "timeout");
    await stage.follow(HOUR, 5 * MINUTE);
    stage.failing.clear();
    expect((await stage.op(op.id)).state).toBe("manual");
    await disconnect(stage);
    return { stage, op, bruno: await connectBruno(stage) };
  };

  it.each([
    [true, "happened"],
    [false, "did_not_happen"],
  ] as const)(
    "is the next owner's to decide by its code (%s), and the account is free",
    async (happened, resolution) => {
      const { stage, op } = await left();
      const { id: opId, amount, sentAt } = op;
      expect(await refused(stage)).toEqual({ kind: "left_undecided", opId, amount, sentAt });
      const asked = await stage.money.withdrawals.toDecide(actor(BRUNO_THERE), opId);
      expect(asked.id).toBe(opId);
      const wrong = await refusal(decide(stage, opId, happened, "W-00000"));
      expect(wrong).toEqual({ kind: "wrong_op_code" });
      const decided = await decide(stage, opId, happened);
      expect(decided.op).toMatchObject({ resolvedBy: BRUNO, resolution });
      expect(await refused(stage)).toBe("was not refused");
    },
  );

  it("is told to its owner as answered by another person of the account", async () => {
    const { stage, op } = await left();
    await decide(stage, op.id, true);
    expect(await stage.messages()).toContain(`withdrawal|${op.id}|resolved_manual due`);
    const texts = await textsOf(stage);
    expect(texts).toContain("Respondeu outra pessoa desta conta");
    expect(texts).not.toMatch(/Você disse|por você|sua resposta/);
  });

  it.each([
    ["withdrawals", "timeout"],
    ["withdrawals", "proxy_page"],
    ["withdrawal", "proxy_page"],
  ] as const)(
    "is read once more before a word that it was not made: %s, %s",
    async (reading, problem) => {
      const { stage, op } = await left(true);
      stage.failing.set(reading, problem);
      expect(await refusal(decide(stage, op.id, false))).toEqual({ kind: "outcome_unread" });
      stage.failing.clear();
      const { state, resolvedBy } = (await decide(stage, op.id, false)).op;
      expect([state, resolvedBy]).toEqual(["processing", undefined]);
    },
  );

  it.each([
    ["happened is no stranger's when it turns up", true, [], "was not refused"],
    [
      "did not happen is told to that owner by its code, and holds up the next order",
      false,
      [`LATE|${BRUNO}`],
      { kind: "earlier_was_made", opId: undefined },
    ],
  ] as const)("that the next owner says %s", async (_, happened, ghosts, then) => {
    const { stage, op, bruno } = await left();
    await stage.money.watchExternal(bruno, BRUNO_KEY);
    await decide(stage, op.id, happened);
    stage.add({ txid: "LATE", ...(op.sentAt && { requestedAt: op.sentAt }) });
    expect(await refused(stage)).toEqual(then);
    await stage.money.watchExternal(bruno, BRUNO_KEY);
    expect(await ghostsOf(stage)).toEqual(ghosts);
    const texts = (await stage.db.selectFrom("outbox").selectAll().execute())
      .filter(({ dedupe_key }) => dedupe_key.startsWith("ghost|"))
      .map(({ payload }) => payload);
    for (const text of texts) expect(text).toContain(op.id);
  });

  it.each([
    ["in the server of the refused key", ELSEWHERE, pauseBruno],
    ["without a server once disconnected", null, disconnectBruno],
  ] as const)("that turns up is told to who denied it %s", async (_, guildId, change) => {
    const { stage, op, bruno } = await left(false, "en-US");
    await stage.money.watchExternal(bruno, BRUNO_KEY);
    await decide(stage, op.id, false);
    const ana = await connect(stage);
    await change(stage, bruno);
    stage.add({ txid: "LATE", ...(op.sentAt && { requestedAt: op.sentAt }) });
    await stage.money.watchExternal(ana, anaKey);
    const { guild_id, payload } = await ghostTo(stage, BRUNO);
    expect(guild_id).toBe(guildId);
    expect(payload).toContain(`A resposta sobre o saque ${op.id} foi que ele não foi feito`);
    expect(payload).not.toContain(GUILD);
  });

  it("that turns up is told to its owner, connected again, as denied by another", async () => {
    const { stage, op, bruno } = await left();
    await stage.money.watchExternal(bruno, BRUNO_KEY);
    await decide(stage, op.id, false);
    const ana = await connect(stage);
    stage.add({ txid: "LATE", ...(op.sentAt && { requestedAt: op.sentAt }) });
    await stage.money.watchExternal(ana, anaKey);
    const { payload } = await ghostTo(stage, ANA);
    expect(payload).toContain(`A resposta sobre o saque ${op.id} foi que ele não foi feito`);
    expect(payload).not.toMatch(/não foi pedido por aqui|você disse/);
  });

  it("is found as settled by a second answer of the next owner, and changes no more", async () => {
    const { stage, op } = await left();
    await decide(stage, op.id, true);
    expect((await stage.money.withdrawals.toDecide(actor(BRUNO_THERE), op.id)).id).toBe(op.id);
    expect((await decide(stage, op.id, false)).op).toMatchObject({ resolution: "happened" });
    await disconnectBruno(stage);
    expect(await refusal(decide(stage, op.id, true))).toEqual(NOT_FOUND);
  });

  it("stays its owner's in all but the decision", async () => {
    const { stage, op } = await left();
    const { check, detail, saveKey, list } = stage.money.withdrawals;
    for (const look of [check, detail, saveKey])
      expect(await refusal(look(actor(BRUNO_THERE), op.id))).toEqual(NOT_FOUND);
    expect((await list(actor(BRUNO_THERE), undefined)).ops).toEqual([]);
  });
});
