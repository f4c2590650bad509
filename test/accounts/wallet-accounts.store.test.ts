import { beforeEach, describe, expect, it } from "vitest";
import type { Secret } from "#src/shared/secret.ts";
import type { RequireFinished } from "#src/accounts/accounts-write.store.ts";
import type { NewWithdrawOp } from "#src/withdrawals/withdraw-op.ts";
import { outboxStore } from "#src/delivery/outbox.store.ts";
import { databases } from "../support/databases.ts";
import {
  ANA,
  anaKey,
  anaOtherKey,
  BRUNO,
  brunoKey,
  GUILD,
  later,
  NOON,
  noticeTo,
  savedAccount,
} from "../database/builders.ts";
import { useStores } from "../database/use-store.ts";
import {
  journalOf,
  moved,
  newCancel,
  newOp,
  opIn,
  stepTo,
} from "../withdrawals/withdraw-builders.ts";

const ELSEWHERE = "900000000000000002";
const USER = "user_8812";
describe.each(databases)("keys of one wallet account on $name", (kind) => {
  const { store, accounts } = useStores(kind);
  const journal = () => journalOf(store());
  const walletFp = () => store().vault.hashWalletUser(USER);
  const connect = (key: Secret, guildId = GUILD, userId = USER) =>
    accounts().save(savedAccount({ guildId, ownerVerified: false }), key, userId);

  it("S2: have one scope, however they are connected, and other accounts another", async () => {
    const here = await connect(anaKey);
    const there = await connect(anaOtherKey, ELSEWHERE);
    expect(here.keyFingerprint).not.toBe(there.keyFingerprint);
    expect([here.accountFp, there.accountFp]).toEqual([walletFp(), walletFp()]);
    expect(JSON.stringify(here)).not.toContain(USER);
    const other = await connect(brunoKey, "900000000000000003", "user_1");
    expect(other.accountFp).toBe(store().vault.hashWalletUser("user_1"));
  });

  it("S2: an operation begun by one key keeps another key of the account from being used", async () => {
    await connect(anaKey);
    const { accountFp } = await connect(anaOtherKey, ELSEWHERE);
    const open = await opIn(journal(), "unknown", { accountFp });
    const other = await journal().draft(newOp({ accountFp }), NOON);
    expect(await journal().move(other, stepTo("confirmed"), NOON)).toEqual({
      kind: "account_busy",
    });
    expect(await journal().lockOf(accountFp)).toEqual(open);
  });

  it("S2: the first account that a key was seen to be of stands", async () => {
    await connect(anaKey);
    expect((await connect(anaKey, GUILD, "somebody_else")).accountFp).toBe(walletFp());
    await accounts().remove(GUILD, ANA, ANA, NOON);
    expect((await connect(anaKey, GUILD, "somebody_else")).accountFp).toBe(walletFp());
  });
});

describe.each(databases)("a connection of a wallet account on $name", (kind) => {
  const { store, accounts } = useStores(kind);
  const journal = () => journalOf(store());
  const save = (key: Secret, userId: string, guildId = GUILD) =>
    accounts().save(savedAccount({ guildId, ownerVerified: false }), key, userId);

  beforeEach(async () => {
    await save(anaKey, USER);
  });

  it("S2: keeps its row under another key of the account, with its alerts and what is under way", async () => {
    const before = await accounts().setAlerts(GUILD, ANA, "channel", NOON);
    const op = await opIn(journal(), "unknown", {
      accountFp: before!.accountFp,
      accountId: before!.id,
    });
    const after = await save(anaOtherKey, USER);
    expect(after).toMatchObject({ id: before!.id, alerts: "channel", watchId: before!.watchId });
    expect((await accounts().apiKey(after.id))?.reveal()).toBe(anaOtherKey.reveal());
    const reader = await accounts().findByFingerprint(op.accountFp, ANA);
    expect(reader?.apiKey.reveal()).toBe(anaOtherKey.reveal());
  });

  it("keeps its age under another key of the account, and so its place before the others", async () => {
    const there = savedAccount({ guildId: ELSEWHERE, ownerVerified: false, connectedAt: later(1) });
    const younger = await accounts().save(there, anaOtherKey, USER);
    const changed = savedAccount({ ownerVerified: false, connectedAt: later(2) });
    const after = await accounts().save(changed, anaOtherKey, USER);
    expect(after.connectedAt).toEqual(NOON);
    expect((await accounts().find(GUILD, ANA))?.connectedAt).toEqual(NOON);
    expect((await accounts().ofWatch(younger.watchId))?.told.id).toBe(after.id);
    expect((await accounts().ofOwner(ANA)).map(({ id }) => id)).toEqual([after.id, younger.id]);
  });

  it("S2: that goes leaves what is under way to the owner's other one", async () => {
    const here = await accounts().find(GUILD, ANA);
    const there = await save(anaOtherKey, USER, ELSEWHERE);
    const op = await opIn(journal(), "unknown", {
      accountFp: there.accountFp,
      accountId: here!.id,
    });
    expect(await journal().leftUnfinished(here!)).toEqual([]);
    await accounts().remove(GUILD, ANA, ANA, NOON);
    expect((await journal().find(op.id))?.accountId).toBe(there.id);
    expect(await journal().leftUnfinished(there)).toMatchObject([{ id: op.id, ownerId: ANA }]);
  });

  it("S2: whose other one's key is refused is the last to follow what is under way", async () => {
    const here = (await accounts().find(GUILD, ANA))!;
    const there = await save(anaOtherKey, USER, ELSEWHERE);
    const op = await opIn(journal(), "unknown", {
      accountFp: there.accountFp,
      accountId: there.id,
    });
    await accounts().pause(here.id, NOON, noticeTo(ANA, "paused"));
    const refused = (await accounts().find(GUILD, ANA))!;
    expect(await journal().leftUnfinished(there)).toMatchObject([{ id: op.id }]);
    expect(await journal().leftUnfinished(refused)).toEqual([]);
    await accounts().pause(there.id, NOON, noticeTo(ANA, "paused too"));
    const alike = (await accounts().find(ELSEWHERE, ANA))!;
    expect(await journal().leftUnfinished(alike)).toEqual([]);
  });

  it.each([
    [
      "removed",
      (requireFinished: RequireFinished) =>
        accounts().remove(GUILD, ANA, ANA, NOON, {
          isAsked: (...removal) => {
            requireFinished(...removal);
            return true;
          },
        }),
    ],
    [
      "removed by an admin",
      (requireFinished: RequireFinished) =>
        accounts().remove(GUILD, ANA, BRUNO, NOON, {
          noticeOf: (account, ...removal) => {
            requireFinished(account, ...removal);
            return noticeTo(ANA, `removed ${account.id}`);
          },
        }),
    ],
    [
      "replaced",
      (requireFinished: RequireFinished) =>
        accounts().save(
          savedAccount({ ownerVerified: false }),
          brunoKey,
          "user_1",
          requireFinished,
        ),
    ],
  ])(
    "S2: that is %s while a withdrawal is confirmed either ends first or finds it",
    async (_, end) => {
      for (let round = 0; round < 10; round += 1) {
        const { accountFp } = await save(anaKey, USER);
        const draft = await journal().draft(newOp({ accountFp }), NOON);
        const found: string[][] = [];
        const requireFinished: RequireFinished = (_account, left) => {
          found.push(left.map(({ id }) => id));
          if (left.length > 0) throw new Error("A withdrawal is under way");
        };
        const step = stepTo("confirmed", { whileConnected: true });
        const [confirmed, ended] = await Promise.allSettled([
          journal().move(draft, step, NOON),
          end(requireFinished),
        ]);
        if (confirmed.status === "rejected") throw confirmed.reason;
        const isFirst = ended.status === "fulfilled";
        expect(confirmed.value.kind).toBe(isFirst ? "not_connected" : "moved");
        expect(found).toEqual([isFirst ? [] : [draft.id]]);
        if (confirmed.value.kind === "moved")
          await moved(journal(), confirmed.value.op, stepTo("refused_local"));
      }
    },
  );

  it("S2: is needed in its own server, and in any for a cancellation", async () => {
    const { accountFp } = await save(anaKey, USER);
    const step = stepTo("confirmed", { whileConnected: true });
    const kindOf = async (op: NewWithdrawOp) =>
      (await journal().move(await journal().draft(op, NOON), step, NOON)).kind;
    const there = { accountFp, guildId: ELSEWHERE };
    expect(await kindOf(newOp(there))).toBe("not_connected");
    expect(await kindOf(newOp({ accountFp, ownerId: BRUNO }))).toBe("not_connected");
    expect(await kindOf(newCancel("t1", there))).toBe("moved");
    expect(await kindOf(newOp({ accountFp }))).toBe("moved");
  });

  it("of one key is paused in every guild, with one notice, and another key of the account is not", async () => {
    const [here, there] = [await accounts().find(GUILD, ANA), await save(anaKey, USER, ELSEWHERE)];
    const third = await save(anaOtherKey, USER, "900000000000000003");
    expect(await accounts().pause(here!.id, NOON, noticeTo(ANA, "one"))).toBe(true);
    expect(await accounts().pause(there.id, NOON, noticeTo(ANA, "other"))).toBe(false);
    expect((await accounts().findById(third.id))?.pausedAt).toBeUndefined();
    expect(await outboxStore(store().db, store().open.leaseNow).state("other")).toBeUndefined();
    const watch = await accounts().ofWatch(here!.watchId);
    expect(watch?.reader.id).toBe(third.id);
    await accounts().resume(there.id);
    expect((await accounts().findById(here!.id))?.pausedAt).toBeUndefined();
  });
});
