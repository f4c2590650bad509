import type { MoneyGuards } from "#src/money-guards/money-guards.ts";
import type { Actor } from "#src/withdrawals/money-services.service.ts";
import { cents, type Cents } from "#src/shared/money.ts";
import { Secret } from "#src/shared/secret.ts";
import { CHANNEL_ID, GUILD_ID, slashCommand } from "../discord/support/interactions.ts";
import type { Dice } from "../simulate/dice.ts";
import type { Waiting } from "./attempts.ts";
import type { InterleavingStage } from "./stage.ts";

const TOKEN = /saque:(?:confirmar|pin):([\w-]{22})/g;
const PIN = "271828";
const STRING = 3;

/** A draft of `/saque`, with its owner's knowledge of it. */
export interface Draft {
  readonly opId: string;
  readonly amount: Cents;
  readonly fingerprint: string;
  readonly owner: Owner;
  /** The only draft of its wallet account. */
  readonly alone: boolean;
}

export interface Owner {
  readonly id: string;
  readonly pin: string | undefined;
}

const actorOf = (ownerId: string): Actor => ({
  guildId: GUILD_ID,
  channelId: CHANNEL_ID,
  userId: ownerId,
  locale: "pt-BR",
});

let amounts = 100_000;

/** The draft's waiting confirmation, found by the tokens in these answers. */
export const waitingFor = async (
  { stores, discord }: InterleavingStage,
  draft: Draft,
  interactionIds: readonly string[],
): Promise<Waiting | undefined> => {
  for (const id of interactionIds)
    for (const [, token = ""] of discord.written(id).matchAll(TOKEN)) {
      const op = await stores.journal.findByToken(stores.vault.hashToken(token));
      if (op?.id !== draft.opId) continue;
      const { guildId, channelId, ownerId } = op;
      const pin = op.confirmationsLeft === 1 ? draft.owner.pin : undefined;
      return { opId: op.id, token, guildId, channelId, ownerId, pin };
    }
  return undefined;
};

/** Connects two owners, sometimes with the same key, and lets each order one withdrawal, sometimes two. */
export const openShop = async (
  stage: InterleavingStage,
  dice: Dice,
  seed: number,
): Promise<readonly { readonly draft: Draft; readonly waiting: Waiting }[]> => {
  const { stores, clock, routers, money } = stage;
  const sharedAccount = dice.fraction() < 0.1;
  const drafts: { draft: Omit<Draft, "alone">; interactionId: string }[] = [];

  const connect = async (ownerId: string, apiKey: Secret): Promise<string> => {
    const { accountFp } = await stores.accounts.save(
      {
        guildId: GUILD_ID,
        ownerId,
        connectedBy: ownerId,
        ownerVerified: true,
        reportConsent: false,
        reportConsentAt: undefined,
        connectedAt: clock.now(),
      },
      apiKey,
      apiKey.reveal(),
    );
    return accountFp;
  };

  const setPin = async (ownerId: string): Promise<MoneyGuards | undefined> =>
    await money[0]?.guards.setPin(actorOf(ownerId), new Secret(PIN), undefined);

  const ask = async (owner: Owner, fingerprint: string, pixKey: string): Promise<void> => {
    const amount = cents(++amounts);
    const raw = slashCommand(
      "saque",
      [
        { name: "valor", type: STRING, value: (amount / 100).toFixed(2).replace(".", ",") },
        { name: "chave", type: STRING, value: pixKey },
        { name: "modalidade", type: STRING, value: dice.fraction() < 0.5 ? "turbo" : "normal" },
      ],
      clock.now(),
    );
    const member = { ...raw.member, user: { id: owner.id, username: "ana" } };
    await routers[0]?.({ ...raw, member }, performance.now());
    const [token = ""] = [...stage.discord.written(raw.id).matchAll(TOKEN)].map(
      ([, found]) => found,
    );
    const op = await stores.journal.findByToken(stores.vault.hashToken(token));
    if (op === undefined) throw new Error(`No draft: ${stage.discord.written(raw.id)}`);
    drafts.push({ draft: { opId: op.id, amount, fingerprint, owner }, interactionId: raw.id });
  };

  for (const index of [0, 1]) {
    const id = String(1_180_000_000_001_000_000n + BigInt(seed * 2 + index));
    const apiKey = new Secret(`sk_test_${seed}_${sharedAccount ? 0 : index}_0123456789`);
    const pixKey = `loja${seed}-${index}@example.com`;
    const fingerprint = await connect(id, apiKey);
    const hash = stores.vault.hashPixKey(pixKey);
    if (dice.fraction() < 0.5) {
      // A PIX key that was paid before needs only one confirmation.
      await stores.pixKeys.noteSeen(id, { hash, type: "email", masked: "l***" }, clock.now());
      await stores.pixKeys.markUsed(id, hash, clock.now());
    }
    const owner: Owner = { id, pin: dice.fraction() < 0.05 ? PIN : undefined };
    if (owner.pin !== undefined) await setPin(id);
    for (let count = dice.fraction() < 0.2 ? 2 : 1; count > 0; count--)
      await ask(owner, fingerprint, pixKey);
  }

  const opened: { draft: Draft; waiting: Waiting }[] = [];
  for (const { draft, interactionId } of drafts) {
    const alone =
      drafts.filter((each) => each.draft.fingerprint === draft.fingerprint).length === 1;
    const waiting = await waitingFor(stage, { ...draft, alone }, [interactionId]);
    if (waiting === undefined) throw new Error(`Nothing waits for a click: ${draft.opId}`);
    opened.push({ draft: { ...draft, alone }, waiting });
  }
  return opened;
};
