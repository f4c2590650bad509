import { ask, buttonOf, press, privateMessage } from "#src/sandbox/demo-steps.ts";
import { pass, passToEvening, settle } from "#src/sandbox/pass-time.ts";
import { type Demo, startDemo } from "#src/sandbox/start-demo.ts";
import { ANA, BRUNO, CARLA, CHANNELS } from "#src/sandbox/world.ts";
import { MINUTE } from "#src/shared/time.ts";

/** A Thursday at 11:10 in Brasília. */
const THURSDAY = Temporal.Instant.from("2026-11-19T14:10:00Z");
const CARLAS_KEY = "sk_sandbox_carla_00aa11bb22cc33dd";
const DAYS_SOLD = 20;

/** A store whose three sellers agreed to the report in #vendas, with their last fortnight read, and closes on. */
export const openStore = async (): Promise<Demo> => {
  const demo = await startDemo(0, {
    start: THURSDAY,
    // Days pass within seconds.
    discord: { postsPerChannel: Infinity },
  });
  const { clock, discord, wallet } = demo.sandbox;
  wallet.open({ userId: CARLA.id, apiKey: CARLAS_KEY, balance: 820 });
  for (let ago = DAYS_SOLD; ago >= 0; ago--) {
    const at = THURSDAY.subtract({ hours: 24 * ago, minutes: 30 });
    const reais = 90 + ((ago * 37) % 110);
    wallet.sale({ owner: CARLA.id, origin: "esales", reais, at, product: "Consultoria por hora" });
  }
  const saved = privateMessage(
    await ask(demo, CARLA.id, "config relatorio", { canal: CHANNELS.vendas.id }),
  );
  await discord
    .person(CARLA.id)
    .select(saved.id, "config:relatorio-fechamentos", ["week", "month"]);
  const sellers = [ANA, BRUNO, { ...CARLA, apiKey: CARLAS_KEY }];
  for (const { id, apiKey } of sellers) {
    const form = await ask(demo, id, "conta conectar");
    if (form.kind !== "modal") throw new Error("/conta conectar did not open");
    const person = discord.person(id);
    const answer = privateMessage(await person.submitModal(form.modal, { api_key: apiKey }));
    await settle(demo);
    const question = discord
      .directMessages(id)
      .find((message) => buttonOf(message, "Pode postar") !== undefined);
    await press(demo, question ?? answer, "Pode postar", id);
  }
  await ask(demo, ANA.id, "meta", { valor: "40.000", mostrar: "servidor" });
  for (let times = 0; times < 4; times++) {
    for (const { id } of sellers) await ask(demo, id, "vendas", { periodo: "14 dias" });
    await pass(demo, 2 * MINUTE);
  }
  clock.moveBy(MINUTE);
  return demo;
};

/** Moves past the report of the next evening. */
export const nextEvening = async (demo: Demo): Promise<void> => {
  await passToEvening(demo);
  await pass(demo, 5 * MINUTE);
};
