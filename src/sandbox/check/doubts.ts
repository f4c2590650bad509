import { MINUTE, SECOND } from "../../shared/duration.ts";
import type { Fault } from "../faults.ts";
import type { Demo } from "../start-demo.ts";
import type { StoredMessage } from "../discord/local-discord.ts";
import { ANA } from "../world.ts";
import { done, headline, mustHold, press, privateMessage, textOf, told } from "./story.ts";
import { openTill, type Till } from "./till.ts";

const ORDER = { valor: "20", modalidade: "turbo" } as const;
const UNKNOWN = "Ainda não sei";
const CODE_FIELD = "codigo";

/** An answer that was lost: once the withdrawal had been made, once it had not. Reading tells the first; the owner tells the second. */
export const checkDoubts = async (demo: Demo): Promise<void> => {
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
  const blocked = await till.ask("saque", ORDER);
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
  const confirmation = await till.lastConfirmation(await till.ask("saque", ORDER));
  sandbox.faults.failNext("POST /v1/withdraw", { kind: "reset", at });
  const unclear = privateMessage(await till.confirm(confirmation));
  mustHold(headline(unclear).startsWith(UNKNOWN), `não disse que não sabe: ${headline(unclear)}`);
  return unclear;
};
