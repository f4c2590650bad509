import { beforeEach, describe, expect, test } from "vitest";
import type { DestinationChoice } from "#src/accounts/account.ts";
import { ANA, CARLA, CHANNELS } from "#src/sandbox/world.ts";
import {
  buttonOf,
  isAlert,
  messageOf,
  openStage,
  type Stage,
  textOf,
  type,
} from "./support/stage.ts";
import { partWith } from "./support/money.ts";

/** 21:05 in Brasília on the stage's first day. */
const FIRST_REPORT = "2026-11-18T00:05:30Z";
const NEXT_REPORT = "2026-11-19T00:05:30Z";

describe("the daily report", () => {
  let stage: Stage;

  const posted = () => stage.sandbox.discord.messages(CHANNELS.vendas.id);
  const directMessages = (userId: string) =>
    stage.sandbox.discord.directMessages(userId).filter((message) => !isAlert(message));

  const connectWithConsent = async (): Promise<void> => {
    const message = messageOf(await stage.connectAna());
    await stage.sandbox.discord.person(ANA.id).click(message.id, buttonOf(message, /pode postar/i));
  };

  beforeEach(async () => {
    stage = await openStage();
    await stage.setReport();
    await connectWithConsent();
  });

  test("comes by direct message alone to who wants that, once over a restart, until it is not wanted", async () => {
    const ana = stage.sandbox.discord.person(ANA.id);
    const choose = async (choice: DestinationChoice): Promise<string> => {
      const shown = messageOf(await type(ana, "conta ver"));
      return textOf(await ana.select(shown.id, partWith(shown, "conta:relatorio:"), [choice]));
    };
    expect(await choose("direct")).toMatch(/Vai só para você, por mensagem direta, às 21:05/);
    await stage.moveTo("2026-11-18T00:04:00Z");
    expect(directMessages(ANA.id)).toHaveLength(0);
    await stage.moveTo(FIRST_REPORT);
    await stage.bot().tick();
    await stage.restart();
    await stage.bot().tick();
    expect(posted()).toHaveLength(0);
    const [own, ...more] = directMessages(ANA.id);
    expect(more).toEqual([]);
    expect(own?.content).toMatch(/^Você vendeu/);
    expect(textOf(own!)).toMatch(/Fechamento de terça, 17\/11/);
    const pressed = await ana.click(own!.id, buttonOf(own!, /saldo e meds/i));
    expect(textOf(pressed)).toMatch(/Vendas de .*[\s\S]*disponível/);
    await choose("off");
    await stage.moveTo(NEXT_REPORT);
    expect(directMessages(ANA.id)).toHaveLength(1);
  });

  test("appears once, at its hour, pings nobody, and does not come again after a restart", async () => {
    await stage.moveTo("2026-11-18T00:04:00Z");
    expect(posted()).toHaveLength(0);
    await stage.moveTo(FIRST_REPORT);
    expect(posted()).toHaveLength(1);
    expect(textOf(posted()[0]!)).toMatch(
      /Fechamento de terça, 17\/11[\s\S]*das 21:00 de 16\/11 às 21:00 de 17\/11 \(Brasília\)/,
    );
    expect(posted()[0]).toMatchObject({
      mentionedUserIds: [],
      mentionedRoleIds: [],
      mentionsEveryone: false,
    });
    await stage.bot().tick();
    await stage.restart();
    await stage.bot().tick();
    expect(posted()).toHaveLength(1);
    // The API key is never shown and never stored in clear.
    const sent = JSON.stringify(stage.sandbox.discord.requests().map(({ body }) => body));
    expect(sent).not.toContain(ANA.apiKey);
    expect(stage.logged()).not.toContain(ANA.apiKey);
  });

  test("does not appear again on a day whose hour is changed after it", async () => {
    await stage.moveTo(FIRST_REPORT);
    await stage.setReport({ horario: "23:00" });
    await stage.moveTo("2026-11-18T02:05:30Z");
    expect(posted()).toHaveLength(1);
    await stage.moveTo("2026-11-19T02:05:30Z");
    expect(posted()).toHaveLength(2);
  });

  test("catches up on the days that the bot was down, oldest first and marked late", async () => {
    await stage.bot().stop();
    stage.sandbox.clock.moveTo(Temporal.Instant.from("2026-11-20T12:00:00Z"));
    await stage.restart();
    await stage.bot().tick();
    const titles = posted().map((message) => message.embeds[0]?.title);
    expect(titles).toEqual([
      "Fechamento de terça, 17/11",
      "Fechamento de quarta, 18/11",
      "Fechamento de quinta, 19/11",
    ]);
    expect(textOf(posted()[0]!)).toContain("Atrasado: a hora marcada era");
  });

  test("comes once although every answer of the first minutes is lost", async () => {
    stage.sandbox.faults.failNext(
      "POST /channels/{id}/messages",
      { kind: "reset", at: "after" },
      3,
    );
    for (const minute of ["05", "06", "07", "08", "09", "10"])
      await stage.moveTo(`2026-11-18T00:${minute}:30Z`);
    expect(posted()).toHaveLength(1);
  });

  test("stops at a deleted channel, tells owner and admin once, and resumes in the next channel, which a test post shows", async () => {
    stage.sandbox.discord.deleteChannel(CHANNELS.vendas.id);
    await stage.moveTo(FIRST_REPORT);
    await stage.moveTo(NEXT_REPORT);
    for (const person of [ANA, CARLA]) {
      expect(directMessages(person.id).map(textOf)).toEqual([
        expect.stringContaining("O relatório diário parou"),
      ]);
    }
    await stage.setReport({ canal: CHANNELS.avisos.id });
    await stage.bot().tick();
    const resumed = () => stage.sandbox.discord.messages(CHANNELS.avisos.id);
    expect(resumed()).toHaveLength(2);
    const shown = await type(stage.sandbox.discord.person(CARLA.id), "config testar");
    // The stage's hurried wait for the post may be over first.
    expect(textOf(shown)).toMatch(/Teste (enviado|na fila)/);
    await stage.bot().tick();
    expect(textOf(resumed()[2]!)).toContain("só um teste");
  });
});
