import { MINUTE } from "../../shared/duration.ts";
import type { Demo } from "../start-demo.ts";
import { ANA, BRUNO } from "../world.ts";
import { buttonOf, done, headline, mustHold, press, privateMessage, told } from "./story.ts";
import { openTill, type Till } from "./till.ts";

const ORDER = { valor: "30", modalidade: "turbo" } as const;

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
  const confirmation = await till.lastConfirmation(await till.ask("saque", ORDER));
  const shown = await Promise.all([till.confirm(confirmation), till.confirm(confirmation)]);
  mustHold(till.executed().length === before + 1, "dois cliques não fizeram um saque");
  done(`Ana clica duas vezes e um saque só é feito: ${shown.map(told).join(" / ")}`);
  await till.until(confirmation, "Saque concluído");
};

const clickForAnother = async ({ sandbox }: Demo, till: Till): Promise<void> => {
  const before = till.executed().length;
  const confirmation = await till.lastConfirmation(await till.ask("saque", ORDER));
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
  const confirmation = await till.lastConfirmation(await till.ask("saque", ORDER));
  const id = buttonOf(confirmation, "Enviar") ?? "";
  await till.wait(3 * MINUTE);
  const late = await demo.sandbox.discord.person(ANA.id).forgeClick(confirmation.id, id);
  mustHold(till.executed().length === before, "uma confirmação vencida fez um saque");
  mustHold(told(late) === "Expirou", `a pergunta vencida não o diz: ${told(late)}`);
  done(`Três minutos depois, a confirmação já não vale: ${told(late)}`);
};
