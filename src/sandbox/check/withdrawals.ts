import { MINUTE } from "../../shared/duration.ts";
import type { Demo } from "../start-demo.ts";
import { BRUNO, CARLA } from "../world.ts";
import { done, headline, mustHold, privateMessage, textOf } from "./story.ts";
import { openTill, type Till } from "./till.ts";

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
