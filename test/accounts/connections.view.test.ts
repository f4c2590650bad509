import { describe, expect, test } from "vitest";
import { disconnectFromQuestion, membersFields } from "#src/accounts/connections.view.ts";
import { disconnectHereQuestion } from "#src/accounts/disconnect.view.ts";
import type { Locale } from "#src/shared/locale.ts";
import { idOf } from "../commands/components.ts";
import { ANA, connectRequest, GUILD, openGuild, OTHER_GUILD } from "../support/guild.ts";
import { NOW, sampleAccount, sampleOffer } from "../support/samples.ts";
import { losses } from "../ui/hostile-views.ts";
import { readMessage, textOf } from "../ui/read-message.ts";

test.each([
  [9, 9, undefined],
  [10, 9, "Há mais 1, que não coube aqui."],
  [14, 9, "Há mais 5, que não couberam aqui."],
])("of %i key offers %i are shown whole, and how many more there are", (count, rows, more) => {
  const offers = Array.from({ length: count }, () => sampleOffer());
  const page = { owners: [], firstPlace: 1, page: 0, pages: 1 };
  const [field] = membersFields({ ...page, offers }, "pt-BR");
  const lines = field?.value.split("\n") ?? [];
  expect(lines.filter((each) => /vale até <t:\d+:d> <t:\d+:t>$/.test(each))).toHaveLength(rows);
  expect(lines[rows]).toBe(more);
  expect(field?.value.length).toBeLessThanOrEqual(1024);
});

test.each([
  ["pt-BR", /vendas continuam no serviço/, /continua valendo/],
  ["en-US", /sales stay in the payment service/, /stays valid/],
] as const)(
  "the question before a refused key is deleted calls it valid nowhere in %s",
  (locale, says, not) => {
    const account = sampleAccount({ pausedAt: NOW });
    const asked = { questionId: "0123456789", losses, isAnew: false, unfinished: undefined };
    const facts = { ...asked, account, locale };
    for (const shown of [disconnectHereQuestion(facts), disconnectFromQuestion(facts, "Loja")]) {
      const [, text] = readMessage(shown);
      expect(text).toMatch(says);
      expect(text).not.toMatch(not);
    }
  },
);

describe("of what goes on by a server that its seller has left, the way to stop it", () => {
  const leftThere = async () => {
    const guild = await openGuild();
    const { accounts } = guild.services;
    for (const guildId of [GUILD, OTHER_GUILD]) await accounts.connect(connectRequest({ guildId }));
    const ana = guild.person(ANA, { guildId: "" });
    await guild.stores.presences.keep(OTHER_GUILD, ANA, "left", guild.clock.now(), undefined);
    guild.outside.add(`${OTHER_GUILD} ${ANA}`);
    const here = async (locale?: Locale) =>
      textOf(await guild.person(ANA, locale && { locale }).command("conta ver"));
    const question = () => ana.act("conta:qual", { values: [OTHER_GUILD] });
    return { ...guild, ana, here, question };
  };

  test("is named beside the report", async () => {
    const { services, ana, here, question } = await leftThere();
    await services.accounts.chooseReport(OTHER_GUILD, ANA, "direct");
    const way =
      /`\/conta ver` lá\. Se você já saiu de lá, use `\/conta desconectar` na nossa conversa direta e toque em \*\*Só parar o relatório\*\*/;
    expect(await here()).toMatch(way);
    const stop = await ana.act("conta:parar-em", { values: [GUILD] });
    expect(textOf(stop)).toMatch(way);
    expect(await here("en-US")).toContain(
      "If you have left it, run `/conta desconectar` in our direct messages and click **Only stop the report**.",
    );
    await ana.act(idOf(await question(), "Só parar o relatório"));
    expect(await here()).not.toContain("outro servidor");
  });

  test("is named beside the alerts", async () => {
    const { services, ana, here, question } = await leftThere();
    await services.accounts.setAlerts(GUILD, ANA, "off", "pt-BR");
    expect(await here()).toContain(
      "Se você já saiu de lá, apague aquela chave com `/conta desconectar`, na nossa conversa direta.",
    );
    expect(await here("en-US")).toContain(
      "If you have left it, delete that key with `/conta desconectar`, in our direct messages.",
    );
    await ana.act(idOf(await question(), "Apagar a chave"));
    expect(await here()).toContain("Desligados: não aviso nada dos seus MEDs");
  });
});

test.each(["holds while Discord does not answer", "ends for the posts too once Discord tells it"])(
  "an absence %s",
  async (course) => {
    const { services, stores, silent, clock } = await openGuild();
    const account = await services.accounts.connect(connectRequest());
    await stores.presences.keep(GUILD, ANA, "left", clock.now(), undefined);
    const hasLeft = course.startsWith("holds");
    if (hasLeft) silent.add(GUILD);
    expect(await services.accounts.ofOwner(ANA)).toMatchObject([{ hasLeft }]);
    expect(await stores.presences.hasLeft(account)).toBe(hasLeft);
  },
);
