import { expect, test } from "vitest";
import type { Reply } from "#src/views/reply.ts";
import { ANA, ANA_KEY, connect, openGuild } from "../support/guild.ts";
import { mistakeIn } from "../support/mistake-in.ts";
import { sampleReport, sold } from "../support/samples.ts";
import { readMessage } from "../views/read-message.ts";

const connected = async () => {
  const guild = await openGuild();
  const ana = guild.person(ANA);
  await connect(ana, ANA_KEY);
  guild.wallet.report = async (_, day) =>
    sampleReport(sold(1, 100, 6), sold(0, 0, 0), day.toString());
  const vendas = async (data?: string) =>
    readMessage(
      (await ana.command("vendas", data === undefined ? {} : { string: { data } })) as Reply,
    );
  return { ...guild, ana, vendas };
};

test.each([
  [undefined, "Vendas de 20/11/2026"],
  ["ontem", "Vendas de 19/11/2026"],
  ["1/3/26", "Vendas de 01/03/2026"],
])("/vendas data:%s shows that day", async (data, title) => {
  const { vendas } = await connected();
  expect((await vendas(data))[0]).toBe(title);
});

test("/vendas after 21:00 in Brasília shows the day that has just begun", async () => {
  const { vendas, clock } = await connected();
  clock.moveBy(6 * 3_600_000);
  const [title, period] = await vendas();
  expect(title).toBe("Vendas de 21/11/2026");
  expect(period).toMatch(/das 21h de 20\/11 às 21h de 21\/11.*\n\*\*Dia ainda aberto/);
});

test("/vendas speaks the person's language, not the guild's", async () => {
  const { person } = await connected();
  const answer = await person(ANA, { locale: "en-US" }).command("vendas");
  expect(readMessage(answer as Reply)[0]).toBe("Sales of Nov 20, 2026");
});

test.each([
  ["32/01/2026", "invalid_date"],
  ["@everyone", "invalid_date"],
  ["21/11/2026", "future_date"],
])("/vendas data:%s asks nothing of the service and says what is wrong", async (data, kind) => {
  const { ana, wallet } = await connected();
  wallet.report = async () => {
    throw new Error("The service was asked");
  };
  expect(await mistakeIn(ana.command("vendas", { string: { data } }))).toBe(kind);
});
