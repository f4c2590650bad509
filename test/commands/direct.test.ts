import { describe, expect, test } from "vitest";
import { Secret } from "#src/shared/secret.ts";
import { HOUR } from "#src/shared/time.ts";
import { UserError, WalletError } from "#src/shared/errors.ts";
import { errorReply } from "#src/help/error.view.ts";
import type { Reply } from "#src/ui/reply.ts";
import { savedAccount } from "../database/builders.ts";
import {
  ANA,
  ANA_KEY,
  BRUNO,
  connect,
  GUILD,
  type Guild,
  openGuild,
  OTHER_GUILD,
} from "../support/guild.ts";
import { mistakeIn } from "../support/mistake-in.ts";
import { sampleReport } from "../support/samples.ts";
import { sampleRow, TXID } from "../transactions/transaction-samples.ts";
import { routeOf } from "./command-stage.ts";
import { idOf, menuIn } from "./components.ts";
import { brokenLimits } from "../ui/message-limits.ts";
import { buttonsOf, labelsOf, readMessage } from "../ui/read-message.ts";

const THIRD_GUILD = "1180000000000000003";

/** Ana in the bot's direct message; `wallets` names the service's account of her key in each of the servers. */
const opened = async (wallets: Readonly<Record<string, string>>) => {
  const guild = await openGuild();
  for (const [guildId, userId] of Object.entries(wallets)) {
    guild.wallet.report = async () => ({ ...sampleReport(), userId });
    await connect(guild.person(ANA, { guildId }), `${ANA_KEY}${guildId.slice(-1)}`);
    // The oldest connection is named first.
    guild.clock.moveBy(1_000);
  }
  guild.wallet.report = async () => sampleReport();
  return { ...guild, ana: guild.person(ANA, { guildId: "" }) };
};
const questionOf = async (
  work: Promise<unknown>,
  kind: "several_accounts" | "several_servers" = "several_accounts",
): Promise<Reply> => {
  const refusal = await refusalOf(work);
  expect(refusal.reason.kind).toBe(kind);
  return errorReply(refusal, "pt-BR", "R");
};
const refusalOf = async (work: Promise<unknown>): Promise<UserError> => {
  const refusal: unknown = await work.catch((error: unknown) => error);
  if (!(refusal instanceof UserError)) throw new Error("It was not refused");
  return refusal;
};

describe("a person's command in a direct message", () => {
  test("is served by their one connection, or by any when all are of one wallet account", async () => {
    for (const wallets of [{ [GUILD]: ANA }, { [GUILD]: ANA, [OTHER_GUILD]: ANA }]) {
      const { ana } = await opened(wallets);
      expect(readMessage(await ana.command("vendas"))[0]).toBe("Vendas de sexta, 20/11");
    }
  });

  describe("of who has several wallet accounts", () => {
    const openBoth = () => opened({ [GUILD]: ANA, [OTHER_GUILD]: "another-account" });
    /** Whose sales the service was asked for, by the end of the key. */
    const keysAsked = (guild: Awaited<ReturnType<typeof opened>>): string[] => {
      const keys: string[] = [];
      guild.wallet.report = async (key) => {
        keys.push(key.apiKey.reveal().slice(-1));
        return sampleReport();
      };
      return keys;
    };

    test("asks which server is meant, by its name where a menu can show it", async () => {
      const { ana } = await openBoth();
      const question = await questionOf(ana.command("vendas"));
      expect(readMessage(question)).toEqual([
        "De qual conta?",
        expect.stringContaining("Escolha o servidor da conta"),
        "Servidores: 1. `Loja Aurora`\n2. `…0002`",
      ]);
      expect(menuIn(question)).toEqual([
        [GUILD, "1. Loja Aurora"],
        [OTHER_GUILD, "2. servidor …0002"],
      ]);
      expect(brokenLimits(question)).toEqual([]);
    });

    test("tells each server's key beside it, as a report by direct message names its key alone", async () => {
      const { ana } = await openBoth();
      const { components = [] } = await questionOf(ana.act("vendas:meu:18/11/2026"));
      const described = components[0]?.components.flatMap((part) =>
        "options" in part ? part.options.map(({ description }) => description) : [],
      );
      const ends = [GUILD, OTHER_GUILD].map((id) => `${ANA_KEY}${id.slice(-1)}`.slice(-4));
      expect(described).toEqual(ends.map((end) => `Chave …${end}`));
    });

    test("names all servers, or says how many more there are", () => {
      const servers = Array.from({ length: 25 }, (_, place) => ({
        guildId: `${118_000_000_000_000_000n + BigInt(place)}`,
        name: `Loja número ${place + 1}`,
      }));
      const askedOf = (named: typeof servers) =>
        readMessage(
          errorReply(
            new UserError({ kind: "several_accounts", again: "vendas:", servers: named }),
            "pt-BR",
            "R",
          ),
        ).at(-1);
      expect(askedOf(servers)).toMatch(/\n25\. `Loja número 25`$/);
      const long = servers.map((each) => ({ ...each, name: each.name.padEnd(100, "o") }));
      expect(askedOf(long)).toMatch(/\nHá mais \d+, que não couberam aqui\.$/);
    });

    test("says how many servers are left where the menu cannot take all", async () => {
      const { stores, person } = await openGuild();
      for (let place = 10; place < 37; place++) {
        const given = { guildId: `11800000000000000${place}`, ownerId: ANA };
        const key = new Secret(`${ANA_KEY}${place}`);
        await stores.accounts.save(savedAccount(given), key, `wallet-${place}`);
      }
      const question = await questionOf(person(ANA, { guildId: "" }).command("vendas"));
      expect(menuIn(question)).toHaveLength(25);
      expect(readMessage(question).at(-1)).toMatch(
        /\n25\. `…\d+`\nHá mais 2, que não couberam aqui\.$/,
      );
    });

    test("shows no server's name in the menu that could be read as something else", async () => {
      const { ana, names } = await openBoth();
      names.set(GUILD, "[aqui](https://evil.example) @everyone");
      const [first] = menuIn(await questionOf(ana.command("vendas")));
      expect(first?.[1]).toBe("1. servidor …0001");
    });

    test("asks Discord for no server's name while they type, nor for /ajuda", async () => {
      const { ana, names } = await openBoth();
      const asked: string[] = [];
      names.get = (guildId) => void asked.push(guildId);
      expect(await mistakeIn(ana.type("saques", "txid", "W"))).toBe("several_accounts");
      await ana.command("ajuda");
      expect(asked).toEqual([]);
      await questionOf(ana.command("vendas"));
      expect(asked).toEqual([GUILD, OTHER_GUILD]);
    });

    test("runs as it was typed once they chose, and its buttons go on with that account", async () => {
      const guild = await openBoth();
      const keys = keysAsked(guild);
      guild.clock.moveBy(7 * HOUR);
      const menu = idOf(
        await questionOf(guild.ana.command("vendas", { string: { data: "18/11/2026" } })),
      );
      const chosen = await guild.ana.act(menu, { values: [OTHER_GUILD] });
      expect(readMessage(chosen)[0]).toBe("Vendas de quarta, 18/11");
      expect(keys).toEqual(["2"]);
      const [button = ""] = Object.values(buttonsOf(chosen as Reply));
      expect(button).toMatch(new RegExp(`^${OTHER_GUILD}/vendas:periodo:`));
      await guild.ana.act(button);
      // The day before, and the two days that it is compared with.
      expect(keys).toEqual(["2", "2", "2", "2"]);
      expect(brokenLimits(chosen as Reply)).toEqual([]);
    });

    test("is answered with the key of the account that they chose, in their language", async () => {
      const guild = await openBoth();
      const english = guild.person(ANA, { guildId: "", locale: "en-US" });
      const menu = idOf(await questionOf(guild.ana.command("vendas")));
      const said = [
        await guild.ana.act(menu, { values: [GUILD] }),
        await english.act(`${OTHER_GUILD}/vendas:hoje`),
      ].map((answer) => (answer as Reply).content);
      expect(said).toEqual(["-# Você escolheu a chave `…7891`.", "-# You chose key `…7892`."]);
    });

    test("is a button's too, and never /ajuda's", async () => {
      const guild = await openBoth();
      const keys = keysAsked(guild);
      const today = idOf(await questionOf(guild.ana.act("vendas:hoje")));
      await guild.ana.act(today, { values: [GUILD] });
      expect(keys).toEqual(["1"]);
      await guild.ana.act(today, { values: [OTHER_GUILD] });
      expect(keys).toEqual(["1", "2"]);
      const help = (await guild.ana.command("ajuda")) as Reply;
      expect(Object.keys(buttonsOf(help))).toContain("Vendas de hoje");
    });

    test("reads nothing in a server that is none of theirs, or that they disconnected since", async () => {
      const guild = await openBoth();
      const keys = keysAsked(guild);
      const menu = idOf(await questionOf(guild.ana.command("vendas")));
      const stranger = "1180000000000000999";
      for (const act of [
        guild.ana.act(menu, { values: [stranger] }),
        guild.ana.act(`${stranger}/vendas:hoje`),
        guild.person(BRUNO, { guildId: "" }).act(menu, { values: [GUILD] }),
      ])
        expect(await mistakeIn(act)).toBe("outdated_component");
      expect(keys).toEqual([]);
    });

    test("has no menu where the question could not carry what was typed, nor for money", async () => {
      const { ana } = await openBoth();
      const long = ana.command("saques", { string: { txid: "x".repeat(100) } });
      expect(labelsOf(await questionOf(long))).toEqual([]);
      const confirm = ana.act("saque:confirmar:abcdefghijklmnopqrstuv");
      expect(await mistakeIn(confirm)).toBe("confirmation_gone");
      await expect(
        ana.act("?saque:confirmar:abcdefghijklmnopqrstuv", { values: [GUILD] }),
      ).rejects.toThrow("Nobody serves it");
    });
  });

  describe("about goals, of who has one wallet account in several servers", () => {
    const openBoth = () => opened({ [GUILD]: ANA, [OTHER_GUILD]: ANA });
    const goalIn = async ({ stores }: Guild, guildId: string) =>
      (await stores.goals.find(guildId, ANA))?.amount;

    const goalsOf = async ({ person }: Guild, ...goals: readonly (readonly [string, string])[]) => {
      for (const [guildId, valor] of goals)
        await person(ANA, { guildId }).command("meta", { string: { valor } });
    };
    const setBoth = (guild: Guild) => goalsOf(guild, [GUILD, "10000"], [OTHER_GUILD, "40000"]);
    const leave = ({ stores, clock, outside }: Guild, guildId: string) => {
      outside.add(`${guildId} ${ANA}`);
      return stores.presences.keep(guildId, ANA, "left", clock.now(), undefined);
    };

    test("asks which server is meant, and goes on with that one", async () => {
      const guild = await openBoth();
      const typed = { string: { valor: "40000", mostrar: "servidor" } };
      const question = await questionOf(guild.ana.command("meta", typed), "several_servers");
      expect(readMessage(question)[0]).toBe("De qual servidor?");
      expect(menuIn(question).map(([id]) => id)).toEqual([GUILD, OTHER_GUILD]);
      expect(await goalIn(guild, GUILD)).toBeUndefined();

      const saved = await guild.ana.act(idOf(question), { values: [OTHER_GUILD] });
      expect([await goalIn(guild, GUILD), await goalIn(guild, OTHER_GUILD)]).toEqual([
        undefined,
        4_000_000,
      ]);
      await guild.ana.act(idOf(saved, "Tirar a meta"));
      expect(await goalIn(guild, OTHER_GUILD)).toBeUndefined();
    });

    test("says after a removal that the goal of another server stays", async () => {
      const guild = await openBoth();
      await setBoth(guild);
      const question = await questionOf(guild.ana.command("meta"), "several_servers");
      const removed = async (guildId: string) => {
        const shown = await guild.ana.act(idOf(question), { values: [guildId] });
        return readMessage(await guild.ana.act(idOf(shown, "Tirar a meta")))[1];
      };
      expect(await removed(GUILD)).toMatch(
        /ainda tem uma meta de \*\*R\$\s40\.000\*\* em outro servidor.* use `\/meta` nele ou na nossa conversa direta\.$/,
      );
      expect(await removed(OTHER_GUILD)).toContain("em lugar nenhum");
    });

    test("never means a server that they left, while they are in another", async () => {
      const guild = await openBoth();
      await leave(guild, GUILD);
      await guild.ana.command("meta", { string: { valor: "40000" } });
      expect([await goalIn(guild, GUILD), await goalIn(guild, OTHER_GUILD)]).toEqual([
        undefined,
        4_000_000,
      ]);
      await leave(guild, OTHER_GUILD);
      await questionOf(guild.ana.command("meta"), "several_servers");
    });

    test("asks which account is meant, also of one whose only server they left", async () => {
      const guild = await opened({ [GUILD]: ANA, [OTHER_GUILD]: "another-account" });
      await leave(guild, GUILD);
      const question = await questionOf(guild.ana.command("meta", { string: { valor: "40000" } }));
      expect(menuIn(question).map(([id]) => id)).toEqual([GUILD, OTHER_GUILD]);
      expect(await goalIn(guild, OTHER_GUILD)).toBeUndefined();
    });

    test("leaves a goal alone that was set elsewhere after the message with the button", async () => {
      const guild = await opened({ [GUILD]: ANA });
      const shown = await guild.ana.command("meta", { string: { valor: "10000" } });
      const [show, remove] = [idOf(shown, "Mostrar no relatório"), idOf(shown, "Tirar a meta")];
      await connect(guild.person(ANA, { guildId: OTHER_GUILD }), `${ANA_KEY}2`);
      await goalsOf(guild, [OTHER_GUILD, "40000"]);
      await leave(guild, GUILD);
      await guild.ana.act(show);
      await guild.ana.act(remove);
      expect(await guild.stores.goals.find(GUILD, ANA)).toBeUndefined();
      await guild.stores.accounts.remove(GUILD, ANA, ANA, guild.clock.now());
      for (const button of [show, remove])
        expect(await mistakeIn(guild.ana.act(button))).toBe("outdated_component");
      const other = await guild.stores.goals.find(OTHER_GUILD, ANA);
      expect(other).toEqual({ amount: 4_000_000, shown: false });
    });

    test("opens the form of a button from before once they chose, and saves there", async () => {
      const guild = await openBoth();
      const question = await questionOf(guild.ana.act("meta:definir:"), "several_servers");
      const customId = idOf(question);
      const input = { values: [OTHER_GUILD], fields: new Map() };
      expect(routeOf({ kind: "action", customId, input, message: undefined }).mode).toBe("form");
      const form = await guild.ana.act(customId, input);
      if (form.kind !== "modal") throw new Error("No form was opened");
      await guild.ana.act(form.customId, { fields: new Map([["valor", "40000"]]) });
      expect([await goalIn(guild, GUILD), await goalIn(guild, OTHER_GUILD)]).toEqual([
        undefined,
        4_000_000,
      ]);
    });

    test("tells beside the month's sales the goal of the direct report", async () => {
      const guild = await openBoth();
      const month = async () =>
        readMessage(await guild.ana.command("vendas", { string: { periodo: "mes" } })).join("\n");
      await goalsOf(guild, [OTHER_GUILD, "40000"]);
      expect(await month()).toMatch(/Meta: .* de R\$\s40\.000/);
      await goalsOf(guild, [GUILD, "10000"]);
      expect(await month()).toMatch(/Meta: .* de R\$\s10\.000/);
      await leave(guild, GUILD);
      expect(await month()).toMatch(/Meta: .* de R\$\s40\.000/);
    });

    test("tells after a removal of no goal in a server that they left", async () => {
      const guild = await openBoth();
      await setBoth(guild);
      await leave(guild, GUILD);
      const shown = await guild.ana.command("meta");
      const removed = await guild.ana.act(idOf(shown, "Tirar a meta"));
      expect(readMessage(removed)[1]).toContain("em lugar nenhum");
      expect(await goalIn(guild, OTHER_GUILD)).toBeUndefined();
    });
  });

  test.each(["vendas", "saldo", "saques", "meds"])("%s of who has no key says so", async (name) => {
    const { ana } = await opened({});
    expect(await mistakeIn(ana.command(name))).toBe("nothing_connected");
  });

  test.each(["travar", "seguranca", "provas"])("%s needs no key", async (name) => {
    const { ana } = await opened({});
    expect(await ana.command(name)).toMatchObject({ kind: "reply" });
  });

  test("provas suggests the newest sales of their connection", async () => {
    const { ana, wallet } = await opened({ [GUILD]: ANA });
    wallet.transactions = async () => ({ items: [sampleRow()], unnamed: 0, next: undefined });
    expect(await ana.type("provas", "txid", "")).toMatchObject([{ value: TXID }]);
  });

  test("chooses a sale for its evidence in each server of that account", async () => {
    const guild = await opened({ [GUILD]: ANA, [OTHER_GUILD]: ANA, [THIRD_GUILD]: "another" });
    const chosenIn = () =>
      [GUILD, OTHER_GUILD, THIRD_GUILD].map((guildId) =>
        guild.services.transactions.chosen({ guildId, userId: ANA }),
      );
    const question = await questionOf(guild.ana.act(`transacoes:prova:${TXID}`));
    await guild.ana.act(idOf(question), { values: [GUILD] });
    expect(chosenIn()).toEqual([TXID, TXID, undefined]);
  });

  test.each(["saque", "split-saque", "config ver"])("%s stays in servers", async (name) => {
    const { ana } = await opened({ [GUILD]: ANA });
    expect(await mistakeIn(ana.command(name))).toBe("guild_only");
  });
});

describe("a button in a direct message", () => {
  test("that opens the form of a key says where keys are connected", async () => {
    const { ana } = await opened({});
    expect(await mistakeIn(ana.act("conta:formulario"))).toBe("connect_in_server");
  });

  test("asks for the receipt of a withdrawal made elsewhere with their connection", async () => {
    const { ana, wallet } = await opened({ [GUILD]: ANA });
    const asked: string[] = [];
    wallet.withdrawal = async (_, txid) => {
      asked.push(txid);
      throw new WalletError({
        kind: "not_found",
        method: "GET",
        route: "/withdrawals/{txid}",
        status: 404,
      });
    };
    expect(await mistakeIn(ana.act("saques:recibo:W1795097407327"))).toBe("withdrawal_not_found");
    expect(asked).toEqual(["W1795097407327"]);
  });

  test.each(["saques:status", "saques:detalhes", "saques:recibo", "saque:guardar"])(
    "%s of a withdrawal that a restore lost says that it is not there, not that no key is",
    async (action) => {
      const { ana } = await opened({ [GUILD]: ANA });
      expect(await mistakeIn(ana.act(`${action}:W-7K2Q9`))).toBe("withdrawal_not_found");
    },
  );
});

test.each([
  ["confirmar", "confirmation_gone"],
  ["desistir", "confirmation_gone"],
  ["refazer", "confirmation_gone"],
  ["cpf", "guild_only"],
  ["celular", "guild_only"],
  ["modalidade", "guild_only"],
])(
  "in a direct message a cancellation is answered, and no new withdrawal is there: %s is %s",
  async (name, kind) => {
    const { ana } = await opened({ [GUILD]: ANA });
    expect(await mistakeIn(ana.act(`saque:${name}:abcdefghijklmnopqrstuv`))).toBe(kind);
  },
);

describe("/ajuda in a direct message", () => {
  test("lists the commands that work there, and today's sales are a button away", async () => {
    const { ana } = await opened({ [GUILD]: ANA });
    const buttons = buttonsOf((await ana.command("ajuda")) as Reply);
    const all = readMessage(await ana.act(buttons["Todos os comandos"] ?? "")).join("\n");
    expect(all).toContain("`/saldo`");
    expect(all).toContain("`/ajuda`");
    expect(all).not.toContain("`/saque`");
    expect(readMessage(await ana.act(buttons["Vendas de hoje"] ?? ""))[0]).toBe(
      "Vendas de sexta, 20/11",
    );
  });
});
