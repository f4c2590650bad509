import type { Demo } from "../start-demo.ts";
import { ANA } from "../world.ts";
import { done, mustHold } from "./story.ts";

/** Turbo, normal, split, the one that was found, and one of two clicks. */
const MADE = 5;
const MONEY = /\/v1\/(split\/)?withdraw$/;

/** In the end the wallet's books hold what Ana was told, and no request was made twice. */
export const checkTruth = async ({ sandbox: { wallet } }: Demo): Promise<void> => {
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
