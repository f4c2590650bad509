import { HOUR, MINUTE, SECOND } from "../../shared/time.ts";
import type { Demo } from "../start-demo.ts";
import { ANA, BRUNO, CARLA, CHANNELS } from "../world.ts";
import {
  buttonOf,
  done,
  headline,
  mustHold,
  press,
  privateMessage,
  textOf,
  textShown,
} from "./story.ts";
import type { Fault } from "../faults.ts";
import type { ActionResult, StoredMessage } from "../discord/state.ts";
import type { ExecutedWithdrawal } from "../wallet/wallet-controls.ts";
import { pass, settle } from "../pass-time.ts";

/** Makes a turbo, a normal and a split withdrawal to their ends, and tries a split balance that is too small. */
export const checkWithdrawals = async (demo: Demo): Promise<void> => {
  const money = createMoneyDriver(demo);
  await payByTurbo(money);
  await money.nextDay();
  await payNormally(money);
  await money.nextDay();
  await payTheSplit(money);
  await refuseSmallSplit(money);
};

const payByTurbo = async (money: MoneyDriver): Promise<void> => {
  const asked = await money.ask("saque", { valor: "50", modalidade: "turbo" });
  const text = textOf(asked);
  for (const amount of ["50,00", "3,50", "46,50"])
    mustHold(text.includes(amount), `a confirmação não mostra R$ ${amount}`);
  mustHold(money.executed().length === 0, "o dinheiro saiu antes de confirmar");
  done(`Ana pede um saque turbo e lê tudo antes de confirmar: ${headline(asked)}`);
  const sent = privateMessage(await money.confirm(await money.lastConfirmation(asked)));
  const ended = await money.until(sent, "Saque concluído");
  mustHaveMade(money, 1, "completed");
  done(`Ela confirma, o turbo sai, e a mesma resposta conta o fim: ${headline(ended)}`);
};

const payNormally = async (money: MoneyDriver): Promise<void> => {
  const sent = await money.withdraw("saque", { valor: "1.234,56", modalidade: "normal" });
  mustHold(textOf(sent).includes("Previsto para"), `sem horário previsto: ${headline(sent)}`);
  mustHaveMade(money, 2, "scheduled");
  done(`Um saque normal de R$ 1.234,56 fica para depois, com horário: ${headline(sent)}`);
  await money.planned(MINUTE);
  const ended = await money.until(sent, "Saque concluído");
  mustHaveMade(money, 2, "completed");
  done(`Quando chega a hora dele, a mensagem direta conta: ${headline(ended)}`);
};

const payTheSplit = async (money: MoneyDriver): Promise<void> => {
  const sent = await money.withdraw("split-saque", { recebedor: BRUNO.id, modalidade: "turbo" });
  mustHold(textOf(sent).includes("1.250,80"), "o recibo do split não mostra o valor que saiu");
  await money.until(sent, "Saque concluído");
  const last = mustHaveMade(money, 3, "completed");
  mustHold(last?.amountCents === 1_250_80, `saíram ${last?.amountCents} centavos do split`);
  done("O saldo split de Bruno sai inteiro, e só então se sabe o valor: R$ 1.250,80");
};

const refuseSmallSplit = async (money: MoneyDriver): Promise<void> => {
  const refused = await money.withdraw("split-saque", { recebedor: CARLA.id, modalidade: "turbo" });
  for (const amount of ["0,00", "10,00"])
    mustHold(textOf(refused).includes(amount), `a recusa não mostra R$ ${amount}`);
  mustHaveMade(money, 3, "completed");
  done(`O saldo split de Carla não chega ao mínimo: ${headline(refused)}`);
};

/** Requires the number of withdrawals made so far, and the status of the last. */
const mustHaveMade = (money: MoneyDriver, count: number, status: string) => {
  const executed = money.executed();
  const last = executed.at(-1);
  mustHold(executed.length === count, `foram feitos ${executed.length} saques em vez de ${count}`);
  mustHold(last?.status === status, `o saque está ${last?.status} no serviço, não ${status}`);
  return last;
};

const LOST_ORDER = { valor: "20", modalidade: "turbo" } as const;
const UNKNOWN = "Ainda não sei";
const CODE_FIELD = "codigo";

/**
 * Loses the answer to a withdrawal that was made, which the bot then finds, and to a withdrawal that was not made,
 * which Ana then denies.
 */
export const checkUnknownOutcomes = async (demo: Demo): Promise<void> => {
  const money = createMoneyDriver(demo);
  await money.nextDay();
  await findLostWithdrawal(demo, money);
  await money.nextDay();
  await askAboutLostRequest(demo, money);
};

const findLostWithdrawal = async (demo: Demo, money: MoneyDriver): Promise<void> => {
  const before = money.executed().length;
  const unclear = await loseAnswer(demo, money, "after");
  mustHold(money.executed().length === before + 1, "o saque da resposta perdida não foi feito");
  done(`A resposta se perde depois do saque: ${headline(unclear)}`);
  const found = await money.until(unclear, "Saque concluído", 20 * SECOND);
  mustHold(money.executed().length === before + 1, "o saque foi repetido");
  done(`O bot acha o saque na lista do serviço, sem repetir: ${headline(found)}`);
};

const askAboutLostRequest = async (demo: Demo, money: MoneyDriver): Promise<void> => {
  const before = money.executed().length;
  const unclear = await loseAnswer(demo, money, "before");
  done(`O pedido se perde antes de ser feito: ${headline(unclear)}`);
  const blocked = await money.ask("saque", LOST_ORDER);
  mustHold(/W-[0-9A-Z]{5}/.test(textOf(blocked)), `não bloqueou: ${headline(blocked)}`);
  done(`Enquanto não se sabe, outro saque não começa: ${headline(blocked)}`);
  const asked = await money.until(unclear, "Preciso que você confira", 2 * MINUTE);
  done(`Depois de procurar mais de uma vez, o bot não adivinha: ${headline(asked)}`);
  const ana = demo.sandbox.discord.person(ANA.id);
  const form = await press(ana, asked, "O dinheiro não saiu");
  if (form.kind !== "modal")
    throw new Error(`"O dinheiro não saiu" não abriu o formulário: ${textShown(form)}`);
  const [code = ""] = /W-[0-9A-Z]{5}/.exec(textOf(asked)) ?? [];
  const ended = await ana.submitModal(form.modal, { [CODE_FIELD]: code });
  mustHold(money.executed().length === before, "o serviço tem um saque que o bot negou");
  done(`Ana olha no painel e digita ${code}: ${textShown(ended)}`);
};

const loseAnswer = async (
  { sandbox }: Demo,
  money: MoneyDriver,
  at: Fault["at"],
): Promise<StoredMessage> => {
  const confirmation = await money.lastConfirmation(await money.ask("saque", LOST_ORDER));
  sandbox.faults.failNext("POST /v1/withdraw", { kind: "reset", at });
  const unclear = privateMessage(await money.confirm(confirmation));
  mustHold(headline(unclear).startsWith(UNKNOWN), `não disse que não sabe: ${headline(unclear)}`);
  return unclear;
};

const CLICKED_ORDER = { valor: "30", modalidade: "turbo" } as const;

/** Tries clicks that must not move money: a second click, another person's click and a late click. */
export const checkGuardedClicks = async (demo: Demo): Promise<void> => {
  const money = createMoneyDriver(demo);
  await clickTwice(money);
  await money.nextDay();
  await clickForAnother(demo, money);
  await clickTooLate(demo, money);
};

const clickTwice = async (money: MoneyDriver): Promise<void> => {
  const before = money.executed().length;
  const confirmation = await money.lastConfirmation(await money.ask("saque", CLICKED_ORDER));
  const shown = await Promise.all([money.confirm(confirmation), money.confirm(confirmation)]);
  mustHold(money.executed().length === before + 1, "dois cliques não fizeram um saque");
  done(`Ana clica duas vezes e um saque só é feito: ${shown.map(textShown).join(" / ")}`);
  await money.until(confirmation, "Saque concluído");
};

const clickForAnother = async ({ sandbox }: Demo, money: MoneyDriver): Promise<void> => {
  const before = money.executed().length;
  const confirmation = await money.lastConfirmation(await money.ask("saque", CLICKED_ORDER));
  const id = buttonOf(confirmation, "Enviar") ?? "";
  const bruno = sandbox.discord.person(BRUNO.id);
  const unseen = await bruno.click(confirmation.id, id);
  mustHold(unseen.kind === "failed", "Bruno viu a confirmação de Ana");
  const forged = await bruno.forgeClick(confirmation.id, id);
  mustHold(money.executed().length === before, "o clique de Bruno moveu o dinheiro de Ana");
  done(`Bruno forja um clique no botão de Ana, e nada sai: ${textShown(forged)}`);
  const given = await press(sandbox.discord.person(ANA.id), confirmation, "Desistir");
  done(`Ana desiste: ${headline(privateMessage(given))}`);
};

const clickTooLate = async (demo: Demo, money: MoneyDriver): Promise<void> => {
  const before = money.executed().length;
  const confirmation = await money.lastConfirmation(await money.ask("saque", CLICKED_ORDER));
  const id = buttonOf(confirmation, "Enviar") ?? "";
  await money.wait(3 * MINUTE);
  const late = await demo.sandbox.discord.person(ANA.id).forgeClick(confirmation.id, id);
  mustHold(money.executed().length === before, "uma confirmação vencida fez um saque");
  mustHold(textShown(late) === "Expirou", `a pergunta vencida não o diz: ${textShown(late)}`);
  done(`Três minutos depois, a confirmação já não vale: ${textShown(late)}`);
};

/** The turbo, the normal, the split and the found withdrawal, and the withdrawal of two clicks. */
const MADE = 5;
const MONEY = /\/v1\/(split\/)?withdraw$/;

/** Requires at the end that the wallet paid each withdrawal that Ana read of, and got no request twice. */
export const checkExecutedWithdrawals = async ({ sandbox: { wallet } }: Demo): Promise<void> => {
  const executed = wallet.executed(ANA.id);
  mustHold(executed.length === MADE, `o serviço fez ${executed.length} saques em vez de ${MADE}`);
  mustHold(
    executed.every(({ status }) => status === "completed"),
    "algum saque não foi pago",
  );
  const asked = wallet.requests.filter(({ method, path }) => method === "POST" && MONEY.test(path));
  // The other two: the request that was lost, and the split that was too small.
  mustHold(asked.length === MADE + 2, `foram ${asked.length} pedidos em vez de ${MADE + 2}`);
  done(`Nos livros do serviço: ${MADE} saques pagos, nenhum em dobro, ${asked.length} pedidos`);
};

const PIX_KEY = "ana@lojaaurora.example";
/** A new PIX key and a split are confirmed twice. */
const MOST_CONFIRMATIONS = 2;
const GO_ON = "Continuar";
const SEND = "Enviar";
/** Longer than the bot ignores a click that sends: it gives people time to read the question. */
const READING_MS = 2 * SECOND;
/** Most waits for an outcome; each moves the clock. */
const MOST_WAITS = 40;

/** Gives Ana's withdrawal commands and reads the wallet's side of them. */
interface MoneyDriver {
  readonly ask: (
    command: "saque" | "split-saque",
    options: Readonly<Record<string, string>>,
  ) => Promise<StoredMessage>;
  /** Clicks through to the last confirmation, and leaves its button unclicked. */
  readonly lastConfirmation: (message: StoredMessage) => Promise<StoredMessage>;
  readonly confirm: (confirmation: StoredMessage) => Promise<ActionResult>;
  /** Asks, confirms, and returns the answer. */
  readonly withdraw: (
    command: "saque" | "split-saque",
    options: Readonly<Record<string, string>>,
  ) => Promise<StoredMessage>;
  /**
   * Moves the clock by `stepMs` until the reply, or a new direct message, begins with `title`.
   * @throws Error when it never does
   */
  readonly until: (reply: StoredMessage, title: string, stepMs?: number) => Promise<StoredMessage>;
  /** Moves the clock until the next withdrawal is allowed. */
  readonly nextDay: () => Promise<void>;
  readonly wait: (ms: number) => Promise<void>;
  /** Moves the clock to `msAfter` after the planned time of the last withdrawal. */
  readonly planned: (msAfter: number) => Promise<void>;
  /** The withdrawals that the wallet really made for Ana. */
  readonly executed: () => readonly ExecutedWithdrawal[];
}

export const createMoneyDriver = (demo: Demo): MoneyDriver => {
  const { clock, discord, wallet } = demo.sandbox;
  const ana = discord.person(ANA.id);

  const wait = (ms: number): Promise<void> => pass(demo, ms);
  const ask: MoneyDriver["ask"] = async (name, options) =>
    privateMessage(
      await ana.command({
        channelId: CHANNELS.geral.id,
        name,
        options: { chave: PIX_KEY, ...options },
      }),
    );
  const confirm: MoneyDriver["confirm"] = (message) => {
    clock.moveBy(READING_MS);
    return press(ana, message, isLast(message) ? SEND : GO_ON);
  };
  const lastConfirmation: MoneyDriver["lastConfirmation"] = async (message) => {
    let shown = message;
    for (let left = MOST_CONFIRMATIONS - 1; left > 0 && !isLast(shown); left--)
      shown = privateMessage(await confirm(shown));
    mustHold(isLast(shown), `não chegou à última confirmação: ${headline(shown)}`);
    return shown;
  };
  const now = (message: StoredMessage): StoredMessage | undefined =>
    discord
      .visibleTo(ANA.id)
      .channels.flatMap(({ messages }) => messages)
      .find(({ id }) => id === message.id);

  return {
    ask,
    confirm,
    lastConfirmation,
    withdraw: async (command, options) =>
      privateMessage(await confirm(await lastConfirmation(await ask(command, options)))),
    until: async (reply, title, stepMs = MINUTE) => {
      const known = new Set(discord.directMessages(ANA.id).map(({ id }) => id));
      const seen = (): StoredMessage | undefined =>
        [now(reply), ...discord.directMessages(ANA.id).filter(({ id }) => !known.has(id))].find(
          (message) => message !== undefined && headline(message).startsWith(title),
        );
      for (let waits = 0; seen() === undefined && waits < MOST_WAITS; waits++) await wait(stepMs);
      const found = seen();
      if (found === undefined)
        throw new Error(`"${title}" não veio; a resposta diz: ${headline(now(reply) ?? reply)}`);
      return found;
    },
    nextDay: () => wait(24 * HOUR + 10 * MINUTE),
    wait,
    planned: async (msAfter) => {
      const at = wallet.executed(ANA.id).at(-1)?.scheduledFor;
      if (at === undefined) throw new Error("o último saque não tem horário previsto");
      clock.moveTo(at.add({ milliseconds: msAfter }));
      await settle(demo);
    },
    executed: () => wallet.executed(ANA.id),
  };
};

/** Whether a click on this confirmation sends, instead of asking again. */
const isLast = (message: StoredMessage): boolean => buttonOf(message, SEND) !== undefined;
