import type { Confirmation, WithdrawStatus } from "#src/withdrawals/withdraw-facts.ts";
import type { Actor, WithdrawOrder } from "#src/withdrawals/money-services.service.ts";
import type { Money } from "#src/bot-money.ts";
import { DAY, HOUR, MINUTE, SECOND } from "#src/shared/time.ts";
import { UserError, WalletError } from "#src/shared/errors.ts";
import { cents } from "#src/shared/money.ts";
import type { Dice } from "../dice.ts";
import { LostCommit } from "./bot.ts";
import { GUILD, PEOPLE } from "./stage.ts";
import type { VirtualTime } from "../virtual-time.ts";

export type Told<Answer> =
  | { readonly kind: "answer"; readonly value: Answer }
  | { readonly kind: "refused"; readonly reason: string }
  | { readonly kind: "silence" };

interface PeopleNeeds {
  readonly time: VirtualTime;
  readonly dice: Dice;
  readonly anyMoney: () => Money | undefined;
  readonly isConnected: (userId: string) => Promise<boolean>;
  readonly violate: (rule: string, why: string) => void;
  readonly onBroken: (error: unknown) => void;
}

export interface People {
  /** One person's order from the command to the last click. */
  readonly order: (userId: string, order: Omit<WithdrawOrder, "actor">) => Promise<void>;
  readonly cancel: (userId: string, txid: string) => Promise<void>;
  /** Locks all money, and requests the unlock, which takes effect a day later. */
  readonly lock: (userId: string) => Promise<void>;
  readonly decide: (userId: string, opId: string, happened: boolean) => Promise<void>;
  readonly drawOrder: () => Omit<WithdrawOrder, "actor">;
}

/** Keys, some of which the service rewrites. */
export const KEYS = ["ana@example.com", "+5511987654321", "52998224725"] as const;
const BOTH = "11900000083";
const RECIPIENT = "444444444444444444";
const PATIENCE_MS = 90 * SECOND;

const sharesAccount = (one: string, other: string): boolean =>
  new Set(PEOPLE.flatMap((each) => ([one, other].includes(each.userId) ? each.apiKey : [])))
    .size === 1;

export const createPeople = (needs: PeopleNeeds): People => {
  const { time, dice, anyMoney, isConnected, violate, onBroken } = needs;
  /** Operations confirmed with their own code, so not decided by a wrong one. */
  const typedRight = new Set<string>();
  const actorOf = (userId: string): Actor => ({
    guildId: GUILD,
    channelId: "c1",
    userId,
    locale: "pt-BR",
  });

  /** Result of a click: an answer, a refusal, or undefined because the process died. */
  const ask = async <Answer>(call: (money: Money) => Promise<Answer>): Promise<Told<Answer>> => {
    const money = anyMoney();
    if (money === undefined) return { kind: "silence" };
    const answered = call(money).then(
      (value): Told<Answer> => ({ kind: "answer", value }),
      (error: unknown): Told<Answer> => {
        if (error instanceof UserError) return { kind: "refused", reason: error.reason.kind };
        if (error instanceof WalletError) return { kind: "refused", reason: error.kind };
        if (!(error instanceof LostCommit)) onBroken(error);
        return { kind: "silence" };
      },
    );
    const silence = time.sleep(PATIENCE_MS).then((): Told<Answer> => ({ kind: "silence" }));
    return await Promise.race([answered, silence]);
  };

  type Clicked = Told<Confirmation | WithdrawStatus>;
  const click = (userId: string, token: string): Promise<Clicked> =>
    ask((money) => money.withdrawals.confirm(actorOf(userId), token, undefined));

  const later = (ms: number, work: () => Promise<unknown>): void => {
    time.after(ms, () => void work());
  };

  /** The message is public, but only its owner may use its buttons. */
  const strangerClicks = async (userId: string, token: string): Promise<void> => {
    const strangers = PEOPLE.filter((person) => person.userId !== userId);
    const told = await click(strangers[dice.between(0, 1)]?.userId ?? "", token);
    if (told.kind === "answer") violate("A1", "somebody else's click was answered");
  };

  const thinkMs = (): number =>
    dice.chance(0.06) ? dice.between(110, 140) * SECOND : dice.between(2, 20) * SECOND;

  const clickThrough = async (userId: string, first: string): Promise<void> => {
    let token: string | undefined = first;
    while (token !== undefined) {
      const now: string = token;
      await time.sleep(thinkMs());
      if (dice.chance(0.1)) later(dice.between(0, 5_000), () => strangerClicks(userId, now));
      if (dice.chance(0.2)) later(dice.between(0, 400), () => click(userId, now));
      if (dice.chance(0.1)) later(dice.spread(SECOND, DAY), () => click(userId, now));
      if (dice.chance(0.1)) {
        const other = await ask((money) => money.withdrawals.switchSpeed(actorOf(userId), now));
        if (other.kind === "answer" && other.value.kind === "confirmation") {
          token = other.value.token;
          continue;
        }
      }
      if (dice.chance(0.05)) {
        await ask((money) => money.withdrawals.abandon(actorOf(userId), now));
        return;
      }
      const told = await click(userId, now);
      if (told.kind !== "answer") return;
      token = told.value.kind === "confirmation" ? told.value.token : undefined;
      if (told.value.kind === "status") await lookAfter(userId, told.value);
    }
  };

  /** Impatient checks of an open withdrawal. */
  const lookAfter = async (userId: string, { op }: WithdrawStatus): Promise<void> => {
    const looks = dice.chance(0.3) ? dice.between(1, 4) : 0;
    for (let look = 0; look < looks; look++) {
      await time.sleep(dice.spread(SECOND, 2 * HOUR));
      const actor = actorOf(userId);
      if (dice.chance(0.7)) await ask((money) => money.withdrawals.check(actor, op.id));
      else if (dice.chance(0.5)) await ask((money) => money.withdrawals.detail(actor, op.id));
      else await ask((money) => money.withdrawals.list(actor, undefined));
    }
  };

  return {
    drawOrder: () => ({
      what: dice.chance(0.25)
        ? { kind: "split", recipientId: RECIPIENT }
        : {
            kind: "own",
            amount: dice.chance(0.1) ? "all" : cents(dice.pick([1_000, 2_500, 2_500, 4_000])),
          },
      pixKey: dice.chance(0.05) ? BOTH : dice.pick(KEYS),
      turbo: dice.chance(0.7),
    }),
    order: async (userId, order) => {
      const actor = actorOf(userId);
      const told = await ask((money) => money.withdrawals.prepare({ actor, ...order }));
      if (told.kind !== "answer") return;
      if (told.value.kind === "confirmation") return await clickThrough(userId, told.value.token);
      const { token } = told.value;
      await time.sleep(dice.between(2, 20) * SECOND);
      const type = dice.pick(["cpf", "phone"] as const);
      const chosen = await ask((money) =>
        money.withdrawals.chooseKeyType(actorOf(userId), token, type),
      );
      if (chosen.kind === "answer" && chosen.value.kind === "confirmation")
        await clickThrough(userId, chosen.value.token);
    },
    cancel: async (userId, txid) => {
      const told = await ask((money) => money.withdrawals.prepareCancel(actorOf(userId), txid));
      if (told.kind === "answer") await clickThrough(userId, told.value.token);
    },
    lock: async (userId) => {
      const locked = await ask((money) => money.guards.lock(actorOf(userId)));
      if (locked.kind === "answer") await ask((money) => money.guards.askUnlock(actorOf(userId)));
    },
    decide: async (userId, opId, happened) => {
      const decision = { opId, happened };
      const decided = (by: string, typedCode: string) =>
        ask((money) => money.withdrawals.decide({ actor: actorOf(by), typedCode, ...decision }));
      if (dice.chance(0.2)) {
        const told = await decided(userId, "W-00000");
        const isDecided = told.kind === "answer" && told.value.op.state === "resolved_manual";
        if (isDecided && !typedRight.has(opId)) {
          violate("A1", "a wrong code decided an operation");
        }
      }
      if (dice.chance(0.2)) {
        const stranger = PEOPLE.find((person) => person.userId !== userId)?.userId ?? "";
        const told = await decided(stranger, opId);
        // Another owner of the account decides in the stead of one who has no key any more.
        if (
          told.kind === "answer" &&
          (!sharesAccount(userId, stranger) || (await isConnected(userId)))
        )
          violate("A1", "somebody else decided an operation");
      }
      typedRight.add(opId);
      await decided(userId, opId);
      await time.sleep(MINUTE);
    },
  };
};
