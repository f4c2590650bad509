import { ask, done, headline, mustHold, press, privateMessage, textOf } from "./demo-steps.ts";
import type { Demo } from "./start-demo.ts";
import { ANA } from "./world.ts";

/** Ana sets a goal, sells, reads how much is left, and finds it beside the sales of the month. */
export const checkGoal = async (demo: Demo): Promise<void> => {
  const { wallet, clock } = demo.sandbox;
  const line = (text: string): string =>
    text.split("\n").find((each) => each.includes(" de R$")) ?? "";
  const set = privateMessage(await ask(demo, ANA.id, "meta", { valor: "40.000" }));
  mustHold(textOf(set).includes("40.000"), `/meta diz: ${headline(set)}`);
  wallet.sale({ owner: ANA.id, origin: "api", reais: 1_000, product: "Plano VIP mensal" });
  // Answers are shared for two seconds.
  clock.moveBy(3_000);
  const after = privateMessage(await press(demo, set, "Atualizar"));
  mustHold(line(textOf(after)) !== line(textOf(set)), "a venda não chegou à meta");
  const month = privateMessage(await ask(demo, ANA.id, "vendas", { periodo: "este mês" }));
  mustHold(textOf(month).includes("Meta: "), "/vendas do mês não mostra a meta");
  done(
    `Ana define uma meta com /meta, e vê quanto falta: ${line(textOf(after)).replaceAll("*", "")}`,
  );
};
