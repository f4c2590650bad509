import { beforeEach, describe, expect, test } from "vitest";
import type { DestinationChoice } from "#src/accounts/account.ts";
import type { Locale } from "#src/shared/locale.ts";
import { ANA, CARLA, CHANNELS } from "#src/sandbox/world.ts";
import { english } from "./support/english.ts";
import { partWith } from "./support/money.ts";
import { isAlert, messageOf, openStage, type Stage, textOf, type } from "./support/stage.ts";

const WORDS = {
  "pt-BR": {
    sale: "Venda: `Plano VIP mensal` · **R$\u00a079,90** (líquido\u00a0R$\u00a075,11)",
    refund: "Estorno: `Plano VIP mensal` · **R$\u00a079,90**",
    burst: "**12 vendas** em 1 minuto · **R$\u00a0120,00**",
    saved: "Avisos de venda salvos",
    off: "Avisos de venda\nDesligados",
  },
  "en-US": {
    sale: "Sale: `Plano VIP mensal` · **R$\u00a079.90** (net\u00a0R$\u00a075.11)",
    refund: "Refund: `Plano VIP mensal` · **R$\u00a079.90**",
    burst: "**12 sales** in 1 minute · **R$\u00a0120.00**",
    saved: "Sale notices saved",
    off: "Sale notices\nOff",
  },
} as const;

const languages: readonly Locale[] = ["pt-BR", "en-US"];

describe.each(languages)("sale notices in %s", (locale) => {
  let stage: Stage;
  const words = WORDS[locale];

  beforeEach(async () => {
    stage = await openStage();
    for (const { id } of [ANA, CARLA]) stage.sandbox.discord.person(id).setLocale(locale);
    await stage.connectAna();
  });

  const told = () =>
    stage.sandbox.discord
      .directMessages(ANA.id)
      .filter((message) => !isAlert(message))
      .map(textOf);
  const inChannel = () => stage.sandbox.discord.messages(CHANNELS.vendas.id).map(textOf);
  const choose = async (choice: DestinationChoice): Promise<string> => {
    const ana = stage.sandbox.discord.person(ANA.id);
    const shown = messageOf(await type(ana, "conta ver"));
    return textOf(await ana.select(shown.id, partWith(shown, "conta:vendas:"), [choice]));
  };
  const configure = async (options: Readonly<Record<string, string | boolean>>) =>
    textOf(await type(stage.sandbox.discord.person(CARLA.id), "config vendas", options));
  const sell = (reais: number, count = 1) =>
    stage.sandbox.wallet.sales(
      { owner: ANA.id, origin: "api", reais, product: "Plano VIP mensal" },
      count,
    );
  const soon = async (): Promise<void> => {
    await stage.later(1);
    await stage.later(1);
  };

  test("tell a sale, a burst and a refund by direct message, each once, and end with the consent", async () => {
    expect(textOf(await type(stage.sandbox.discord.person(ANA.id), "conta ver"))).toContain(
      words.off,
    );
    await choose("direct");
    await soon();
    const before = told().length;
    const [txid = ""] = sell(79.9);
    await soon();
    sell(10, 12);
    await soon();
    stage.sandbox.wallet.dashboardRefund(ANA.id, txid);
    await soon();
    await stage.restart();
    await soon();
    const news = told().slice(before);
    expect(news).toEqual([
      expect.stringContaining(words.sale),
      expect.stringContaining(words.burst),
      expect.stringContaining(words.refund),
    ]);
    if (locale === "en-US") for (const each of news) english(each.replaceAll(/`[^`]*`/g, ""));
    await choose("off");
    sell(79.9);
    await soon();
    expect(told()).toHaveLength(before + 3);
  });

  test("go to the channel from its minimum on, without a ping and without the payer", async () => {
    expect(await configure({ canal: CHANNELS.vendas.id, minimo: "50" })).toContain(words.saved);
    await choose("channel");
    await soon();
    sell(49.99);
    sell(79.9);
    await soon();
    const posts = stage.sandbox.discord.messages(CHANNELS.vendas.id);
    expect(posts.map(textOf)).toEqual([
      // A server that is no Community has the language of who set it up.
      expect.stringContaining(`${words.sale} · <@${ANA.id}>`),
    ]);
    expect(posts[0]).toMatchObject({ mentionedUserIds: [], mentionsEveryone: false });
    expect(posts.map(textOf).join()).not.toMatch(/Pagador|482\.917/);
    await configure({ ativo: false });
    sell(79.9);
    await soon();
    expect(inChannel()).toHaveLength(1);
  });

  // The rest is the same in each language.
  if (locale !== languages[0]) return;

  test("count by the report while the list cannot be read, and name sales again when it is back", async () => {
    await choose("direct");
    await soon();
    const before = told().length;
    stage.sandbox.wallet.settings.transactionListShape = "unreadable";
    await soon();
    sell(60);
    await soon();
    expect(textOf(await type(stage.sandbox.discord.person(ANA.id), "conta ver"))).toContain(
      "O serviço não mostra agora a lista das suas vendas",
    );
    stage.sandbox.wallet.settings.transactionListShape = "root";
    await stage.later(11);
    await soon();
    sell(79.9);
    await soon();
    expect(told().slice(before)).toEqual([
      expect.stringContaining("**1 venda** · **R$\u00a060,00**"),
      expect.stringContaining(words.sale),
    ]);
  });

  test("stop with a lost channel, of which admin and seller learn once", async () => {
    await configure({ canal: CHANNELS.vendas.id });
    await choose("channel");
    await soon();
    stage.sandbox.discord.deleteChannel(CHANNELS.vendas.id);
    sell(79.9);
    sell(79.9);
    await soon();
    for (const { id } of [ANA, CARLA]) {
      const messages = stage.sandbox.discord.directMessages(id).filter((each) => !isAlert(each));
      expect(messages).toHaveLength(1);
    }
    expect(await configure({ canal: CHANNELS.avisos.id })).toContain(words.saved);
    await soon();
    sell(79.9);
    await soon();
    expect(stage.sandbox.discord.messages(CHANNELS.avisos.id)).toHaveLength(1);
  });
});
