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
  told,
} from "./story.ts";
import type { Fault } from "../faults.ts";
import type { ActionResult, StoredMessage } from "../discord/state.ts";
import type { ExecutedWithdrawal } from "../wallet/wallet-controls.ts";
import { pass, settle } from "../pass-time.ts";

/** A turbo and a normal withdrawal and a split one to their ends, and a split balance that is too small. */
export const checkWithdrawals = async (demo: Demo): Promise<void> => {
  const till = openTill(demo);
  await payByTurbo(till);
  await till.nextDay();
  await payNormally(till);
  await till.nextDay();
  await payTheSplit(till);
  await refuseSmallSplit(till);
};

const payByTurbo = async (till: Till): Promise<void> => {
  const asked = await till.ask("saque", { valor: "50", modalidade: "turbo" });
  const text = textOf(asked);
  for (const amount of ["50,00", "3,50", "46,50"])
    mustHold(text.includes(amount), `a confirmação não mostra R$ ${amount}`);
  mustHold(till.executed().length === 0, "o dinheiro saiu antes de confirmar");
  done(`Ana pede um saque turbo e lê tudo antes de confirmar: ${headline(asked)}`);
  const sent = privateMessage(await till.confirm(await till.lastConfirmation(asked)));
  const ended = await till.until(sent, "Saque concluído");
  ends(till, 1, "completed");
  done(`Ela confirma, o turbo sai, e a mesma resposta conta o fim: ${headline(ended)}`);
};

const payNormally = async (till: Till): Promise<void> => {
  const sent = await till.withdraw("saque", { valor: "1.234,56", modalidade: "normal" });
  mustHold(textOf(sent).includes("Previsto para"), `sem horário previsto: ${headline(sent)}`);
  ends(till, 2, "scheduled");
  done(`Um saque normal de R$ 1.234,56 fica para depois, com horário: ${headline(sent)}`);
  await till.planned(MINUTE);
  const ended = await till.until(sent, "Saque concluído");
  ends(till, 2, "completed");
  done(`Quando chega a hora dele, a mensagem direta conta: ${headline(ended)}`);
};

const payTheSplit = async (till: Till): Promise<void> => {
  const sent = await till.withdraw("split-saque", { recebedor: BRUNO.id, modalidade: "turbo" });
  mustHold(textOf(sent).includes("1.250,80"), "o recibo do split não mostra o valor que saiu");
  await till.until(sent, "Saque concluído");
  const last = ends(till, 3, "completed");
  mustHold(last?.amountCents === 1_250_80, `saíram ${last?.amountCents} centavos do split`);
  done("O saldo split de Bruno sai inteiro, e só então se sabe o valor: R$ 1.250,80");
};

const refuseSmallSplit = async (till: Till): Promise<void> => {
  const refused = await till.withdraw("split-saque", { recebedor: CARLA.id, modalidade: "turbo" });
  for (const amount of ["0,00", "10,00"])
    mustHold(textOf(refused).includes(amount), `a recusa não mostra R$ ${amount}`);
  ends(till, 3, "completed");
  done(`O saldo split de Carla não chega ao mínimo: ${headline(refused)}`);
};

/** So many withdrawals were made, and the last one stands so. */
const ends = (till: Till, count: number, status: string) => {
  const executed = till.executed();
  const last = executed.at(-1);
  mustHold(executed.length === count, `foram feitos ${executed.length} saques em vez de ${count}`);
  mustHold(last?.status === status, `o saque está ${last?.status} no serviço, não ${status}`);
  return last;
};

const LOST_ORDER = { valor: "20", modalidade: "turbo" } as const;
const UNKNOWN = "Ainda não sei";
const CODE_FIELD = "codigo";

/** An answer that was lost: once the withdrawal had been made, once it had not. Reading tells the first; the owner tells the second. */
export const checkUnknownOutcomes = async (demo: Demo): Promise<void> => {
  const till = openTill(demo);
  await till.nextDay();
  await findWhatWasMade(demo, till);
  await till.nextDay();
  await askAboutWhatWasNot(demo, till);
};

const findWhatWasMade = async (demo: Demo, till: Till): Promise<void> => {
  const before = till.executed().length;
  const unclear = await loseAnswer(demo, till, "after");
  mustHold(till.executed().length === before + 1, "o saque da resposta perdida não foi feito");
  done(`A resposta se perde depois do saque: ${headline(unclear)}`);
  const found = await till.until(unclear, "Saque concluído", 20 * SECOND);
  mustHold(till.executed().length === before + 1, "o saque foi repetido");
  done(`O bot acha o saque na lista do serviço, sem repetir: ${headline(found)}`);
};

const askAboutWhatWasNot = async (demo: Demo, till: Till): Promise<void> => {
  const before = till.executed().length;
  const unclear = await loseAnswer(demo, till, "before");
  done(`O pedido se perde antes de ser feito: ${headline(unclear)}`);
  const blocked = await till.ask("saque", LOST_ORDER);
  mustHold(/W-[0-9A-Z]{5}/.test(textOf(blocked)), `não bloqueou: ${headline(blocked)}`);
  done(`Enquanto não se sabe, outro saque não começa: ${headline(blocked)}`);
  const asked = await till.until(unclear, "Preciso que você confira", 2 * MINUTE);
  done(`Depois de procurar mais de uma vez, o bot não adivinha: ${headline(asked)}`);
  const ana = demo.sandbox.discord.person(ANA.id);
  const form = await press(ana, asked, "O dinheiro não saiu");
  if (form.kind !== "modal")
    throw new Error(`"O dinheiro não saiu" não abriu o formulário: ${told(form)}`);
  const [code = ""] = /W-[0-9A-Z]{5}/.exec(textOf(asked)) ?? [];
  const ended = await ana.submitModal(form.modal, { [CODE_FIELD]: code });
  mustHold(till.executed().length === before, "o serviço tem um saque que o bot negou");
  done(`Ana olha no painel e digita ${code}: ${told(ended)}`);
};

const loseAnswer = async (
  { sandbox }: Demo,
  till: Till,
  at: Fault["at"],
): Promise<StoredMessage> => {
  const confirmation = await till.lastConfirmation(await till.ask("saque", LOST_ORDER));
  sandbox.faults.failNext("POST /v1/withdraw", { kind: "reset", at });
  const unclear = privateMessage(await till.confirm(confirmation));
  mustHold(headline(unclear).startsWith(UNKNOWN), `não disse que não sabe: ${headline(unclear)}`);
  return unclear;
};

const CLICKED_ORDER = { valor: "30", modalidade: "turbo" } as const;

/** Clicks that must not move money: the second of two, another person's, and one that comes too late. */
export const checkGuardedClicks = async (demo: Demo): Promise<void> => {
  const till = openTill(demo);
  await clickTwice(till);
  await till.nextDay();
  await clickForAnother(demo, till);
  await clickTooLate(demo, till);
};

const clickTwice = async (till: Till): Promise<void> => {
  const before = till.executed().length;
  const confirmation = await till.lastConfirmation(await till.ask("saque", CLICKED_ORDER));
  const shown = await Promise.all([till.confirm(confirmation), till.confirm(confirmation)]);
  mustHold(till.executed().length === before + 1, "dois cliques não fizeram um saque");
  done(`Ana clica duas vezes e um saque só é feito: ${shown.map(told).join(" / ")}`);
  await till.until(confirmation, "Saque concluído");
};

const clickForAnother = async ({ sandbox }: Demo, till: Till): Promise<void> => {
  const before = till.executed().length;
  const confirmation = await till.lastConfirmation(await till.ask("saque", CLICKED_ORDER));
  const id = buttonOf(confirmation, "Enviar") ?? "";
  const bruno = sandbox.discord.person(BRUNO.id);
  const unseen = await bruno.click(confirmation.id, id);
  mustHold(unseen.kind === "failed", "Bruno viu a confirmação de Ana");
  const forged = await bruno.forgeClick(confirmation.id, id);
  mustHold(till.executed().length === before, "o clique de Bruno moveu o dinheiro de Ana");
  done(`Bruno forja um clique no botão de Ana, e nada sai: ${told(forged)}`);
  const given = await press(sandbox.discord.person(ANA.id), confirmation, "Desistir");
  done(`Ana desiste: ${headline(privateMessage(given))}`);
};

const clickTooLate = async (demo: Demo, till: Till): Promise<void> => {
  const before = till.executed().length;
  const confirmation = await till.lastConfirmation(await till.ask("saque", CLICKED_ORDER));
  const id = buttonOf(confirmation, "Enviar") ?? "";
  await till.wait(3 * MINUTE);
  const late = await demo.sandbox.discord.person(ANA.id).forgeClick(confirmation.id, id);
  mustHold(till.executed().length === before, "uma confirmação vencida fez um saque");
  mustHold(told(late) === "Expirou", `a pergunta vencida não o diz: ${told(late)}`);
  done(`Três minutos depois, a confirmação já não vale: ${told(late)}`);
};

/** Turbo, normal, split, the one that was found, and one of two clicks. */
const MADE = 5;
const MONEY = /\/v1\/(split\/)?withdraw$/;

/** In the end the wallet's books hold what Ana was told, and no request was made twice. */
export const checkMoneyTruth = async ({ sandbox: { wallet } }: Demo): Promise<void> => {
  const executed = wallet.executed(ANA.id);
  mustHold(executed.length === MADE, `o serviço fez ${executed.length} saques em vez de ${MADE}`);
  mustHold(
    executed.every(({ status }) => status === "completed"),
    "algum saque não foi pago",
  );
  const asked = wallet.requests.filter(({ method, path }) => method === "POST" && MONEY.test(path));
  // Beside those made: the request that was lost, and the split that was too small.
  mustHold(asked.length === MADE + 2, `foram ${asked.length} pedidos em vez de ${MADE + 2}`);
  done(`Nos livros do serviço: ${MADE} saques pagos, nenhum em dobro, ${asked.length} pedidos`);
};

const PIX_KEY = "ana@lojaaurora.example";
/** A new key, and a split, are confirmed twice. */
const MOST_CONFIRMATIONS = 2;
const GO_ON = "Continuar";
const SEND = "Enviar";
/** As long as a question is read: what sends is not clicked sooner. */
const READING_MS = 2 * SECOND;
/** So often an outcome is waited for; each time the clock moves on. */
const MOST_WAITS = 40;

/** Ana at money's commands, with the wallet's books open beside her. */
interface Till {
  readonly ask: (
    command: "saque" | "split-saque",
    options: Readonly<Record<string, string>>,
  ) => Promise<StoredMessage>;
  /** The last confirmation but its click: what comes before it is clicked. */
  readonly lastConfirmation: (message: StoredMessage) => Promise<StoredMessage>;
  /** Clicks it. */
  readonly confirm: (confirmation: StoredMessage) => Promise<ActionResult>;
  /** All of it: asks, confirms, and gives what is shown then. */
  readonly withdraw: (
    command: "saque" | "split-saque",
    options: Readonly<Record<string, string>>,
  ) => Promise<StoredMessage>;
  /**
   * Moves the clock on by `stepMs` until the reply, or a direct message that came meanwhile, begins with `title`.
   * @throws Error when it never does
   */
  readonly until: (reply: StoredMessage, title: string, stepMs?: number) => Promise<StoredMessage>;
  /** Long enough for the next withdrawal to be allowed. */
  readonly nextDay: () => Promise<void>;
  readonly wait: (ms: number) => Promise<void>;
  /** Moves the clock to so long after the time for which the last withdrawal is planned. */
  readonly planned: (msAfter: number) => Promise<void>;
  /** What the wallet really did for Ana. */
  readonly executed: () => readonly ExecutedWithdrawal[];
}

export const openTill = (demo: Demo): Till => {
  const { clock, discord, wallet } = demo.sandbox;
  const ana = discord.person(ANA.id);

  const wait = (ms: number): Promise<void> => pass(demo, ms);
  const ask: Till["ask"] = async (name, options) =>
    privateMessage(
      await ana.command({
        channelId: CHANNELS.geral.id,
        name,
        options: { chave: PIX_KEY, ...options },
      }),
    );
  const confirm: Till["confirm"] = (message) => {
    clock.moveBy(READING_MS);
    return press(ana, message, isLast(message) ? SEND : GO_ON);
  };
  const lastConfirmation: Till["lastConfirmation"] = async (message) => {
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
      const told = new Set(discord.directMessages(ANA.id).map(({ id }) => id));
      const seen = (): StoredMessage | undefined =>
        [now(reply), ...discord.directMessages(ANA.id).filter(({ id }) => !told.has(id))].find(
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

/** Whether its click sends: under the first of two another follows. */
const isLast = (message: StoredMessage): boolean => buttonOf(message, SEND) !== undefined;
