import { afterEach, describe, expect, it } from "vitest";
import type { ShownModal } from "#src/sandbox/discord/state.ts";
import { ANA, BRUNO, CHANNELS } from "#src/sandbox/world.ts";
import { createMoneyDriver, partWith } from "./support/money.ts";
import { messageOf, openStage, type Stage, textOf } from "./support/stage.ts";

const DEFAULTS = { COMMANDS_PER_PERSON: "", COMMANDS_PER_SERVER: "" };
const FORMS = 40;

let stage: Stage;
afterEach(() => stage.close());

const times = <Value>(count: number, work: () => Promise<Value>): Promise<Value[]> =>
  Promise.all(Array.from({ length: count }, work));

describe("S9: one person who floods the bot", () => {
  it("reads how long to wait, and can lock withdrawals all the same", async () => {
    stage = await openStage(undefined, { settings: DEFAULTS });
    const bruno = createMoneyDriver(stage, BRUNO.id);
    const answers = (await times(13, () => bruno.command("ajuda"))).map(textOf);

    const refused = answers.filter((text) => text.startsWith("Muitos comandos seguidos"));
    expect(refused).toHaveLength(3);
    for (const text of refused) expect(text).toMatch(/Tente de novo em \d+ segundos?\./);
    expect(textOf(await bruno.command("travar"))).toContain("Saques travados");
    expect(textOf(await createMoneyDriver(stage).command("ajuda"))).not.toContain(
      "Muitos comandos",
    );
  });

  it("with PIN forms keeps nobody else from withdrawing", async () => {
    stage = await openStage();
    await stage.connectAna();
    const before = stage.sandbox.wallet.executed(ANA.id).length;
    const bruno = stage.sandbox.discord.person(BRUNO.id);
    const panel = messageOf(
      await bruno.command({ channelId: CHANNELS.geral.id, name: "seguranca" }),
    );
    const forms: ShownModal[] = [];
    while (forms.length < FORMS) {
      const opened = await bruno.click(panel.id, partWith(panel, "seguranca:pin"));
      if (opened.kind === "modal") forms.push(opened.modal);
    }

    const flood = forms.map((form) => bruno.submitModal(form, { pin: "2580" }));
    await createMoneyDriver(stage).withdraw({ modalidade: "turbo" });

    expect(stage.sandbox.wallet.executed(ANA.id)).toHaveLength(before + 1);
    const told = (await Promise.all(flood)).map((shown) => JSON.stringify(shown));
    expect(told.filter((text) => text.includes("Já estou conferindo outros PINs"))).not.toEqual([]);
  });
});

describe("S22: a service that answers 503 to everything", () => {
  it("gets no withdrawal, and the person reads that nothing was sent", async () => {
    stage = await openStage();
    await stage.connectAna();
    const moneyDriver = createMoneyDriver(stage);
    const second = messageOf(
      await moneyDriver.press(await moneyDriver.ask({ modalidade: "turbo" }), "saque:confirmar:"),
    );
    const before = stage.sandbox.wallet.executed(ANA.id).length;
    stage.sandbox.faults.setPlan({
      seed: 1,
      share: 1,
      faults: [{ kind: "status", status: 502, at: "before" }],
      appliesTo: (route) => route.includes("/v1/"),
    });

    const told = textOf(await moneyDriver.press(second, "saque:confirmar:"));

    expect(told).toContain("O serviço de pagamentos não está respondendo");
    expect(told).toContain("nenhum dinheiro se moveu");
    stage.sandbox.faults.setPlan(undefined);
    expect(stage.sandbox.wallet.executed(ANA.id)).toHaveLength(before);
    expect(textOf(await moneyDriver.command("saques"))).not.toContain("W-");
  });
});
