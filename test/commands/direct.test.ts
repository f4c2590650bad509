import { describe, expect, test } from "vitest";
import { UserError, WalletError } from "#src/shared/errors.ts";
import { errorReply } from "#src/views/error.ts";
import type { Reply } from "#src/views/reply.ts";
import { ANA, ANA_KEY, connect, GUILD, openGuild, OTHER_GUILD } from "../support/guild.ts";
import { mistakeIn } from "../support/mistake-in.ts";
import { sampleReport } from "../support/samples.ts";
import { brokenLimits } from "../views/message-limits.ts";
import { buttonsOf, labelsOf, readMessage } from "../views/read-message.ts";

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
const read = (answer: unknown): string[] => readMessage(answer as Reply);
const refusalOf = async (work: Promise<unknown>): Promise<UserError> => {
  const refusal: unknown = await work.catch((error: unknown) => error);
  if (!(refusal instanceof UserError)) throw new Error("It was not refused");
  return refusal;
};

describe("a person's command in a direct message", () => {
  test("is served by their one connection", async () => {
    const { ana } = await opened({ [GUILD]: ANA });
    expect(read(await ana.command("vendas"))[0]).toBe("Vendas de 20/11/2026");
  });

  test("is served by any connection when all are of one wallet account", async () => {
    const { ana } = await opened({ [GUILD]: ANA, [OTHER_GUILD]: ANA });
    expect(read(await ana.command("vendas"))[0]).toBe("Vendas de 20/11/2026");
  });

  test("of who has several wallet accounts says in which servers to ask", async () => {
    const { ana } = await opened({ [GUILD]: ANA, [OTHER_GUILD]: "another-account" });
    const reply = errorReply(await refusalOf(ana.command("vendas")), "pt-BR", "R");
    expect(read(reply)).toEqual([
      "De qual conta?",
      expect.stringContaining("Use o comando no servidor"),
      "Servidores: `Loja Aurora`\n`…0002`",
    ]);
    expect(brokenLimits(reply)).toEqual([]);
  });

  test.each(["vendas", "saldo", "saques", "meds"])("%s of who has no key says so", async (name) => {
    const { ana } = await opened({});
    expect(await mistakeIn(ana.command(name))).toBe("nothing_connected");
  });

  test.each(["travar", "seguranca", "provas"])("%s needs no key", async (name) => {
    const { ana } = await opened({});
    expect(await ana.command(name)).toMatchObject({ kind: "reply" });
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

  test("keeps the PIX key of a withdrawal, wherever it was made", async () => {
    const { ana } = await opened({ [GUILD]: ANA });
    expect(await mistakeIn(ana.act("saque:guardar:W-ABCDE"))).toBe("withdrawal_not_found");
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
});

describe("a confirmation in a direct message", () => {
  const TOKEN = "abcdefghijklmnopqrstuv";

  test.each(["confirmar", "desistir", "refazer"])(
    "of a cancellation can be answered: %s",
    async (name) => {
      const { ana } = await opened({ [GUILD]: ANA });
      expect(await mistakeIn(ana.act(`saque:${name}:${TOKEN}`))).toBe("confirmation_gone");
    },
  );

  test.each(["cpf", "celular", "modalidade"])(
    "of a new withdrawal is not there: %s",
    async (name) => {
      const { ana } = await opened({ [GUILD]: ANA });
      expect(await mistakeIn(ana.act(`saque:${name}:${TOKEN}`))).toBe("guild_only");
    },
  );
});

describe("/ajuda in a direct message", () => {
  test("sends who has no key to a server", async () => {
    const { ana } = await opened({});
    const help = await ana.command("ajuda");
    expect(read(help)[1]).toContain("no servidor em que você vende");
    expect(labelsOf(help as Reply)).toEqual(["Todos os comandos"]);
  });

  test("lists the commands that work there, and today's sales are a button away", async () => {
    const { ana } = await opened({ [GUILD]: ANA });
    const buttons = buttonsOf((await ana.command("ajuda")) as Reply);
    const all = read(await ana.act(buttons["Todos os comandos"] ?? "")).join("\n");
    expect(all).toContain("`/saldo`");
    expect(all).toContain("`/ajuda`");
    expect(all).not.toContain("`/saque`");
    expect(read(await ana.act(buttons["Vendas de hoje"] ?? ""))[0]).toBe("Vendas de 20/11/2026");
  });
});
