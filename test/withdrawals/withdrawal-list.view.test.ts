import { describe, expect, test } from "vitest";
import type { ListedWithdrawal } from "#src/withdrawals/withdrawal.ts";
import { cents } from "#src/shared/money.ts";
import {
  statesOf,
  withdrawalChoices,
  withdrawalFilters,
  type WithdrawalListFacts,
  withdrawalListView,
} from "#src/withdrawals/withdrawal-list.view.ts";
import { NOW, READ_AT, WHEN } from "../support/samples.ts";
import { brokenLimits } from "../ui/message-limits.ts";
import { menusOf, readMessage } from "../ui/read-message.ts";
import { acceptedOp, RECIPIENT, sampleOp, TXID } from "./withdraw-samples.ts";

const listed = (txid: string, given: Partial<ListedWithdrawal> = {}): ListedWithdrawal => ({
  txid,
  requestedAt: NOW,
  amount: cents(7_500),
  status: "completed",
  ...given,
});
const facts = (given: Partial<WithdrawalListFacts> = {}): WithdrawalListFacts => ({
  ops: [acceptedOp({ state: "completed" })],
  elsewhere: [],
  undelivered: 0,
  problem: undefined,
  readAt: NOW,
  filter: "all",
  locale: "pt-BR",
  ...given,
});
const read = (given: Partial<WithdrawalListFacts>) => readMessage(withdrawalListView(facts(given)));
const many = Array.from({ length: 25 }, (_, index) =>
  acceptedOp({ id: `W-AAA${String(index).padStart(2, "0")}`, txid: `tx-${index}` }),
);

describe("the list of withdrawals", () => {
  test("tells each of the journal's, and that the service knows no other", () => {
    expect(read({})).toEqual([
      "Saques",
      `W-7K2Q9 · R$ 1.234,00 · normal: **✅ Concluído** · \`***.456.789-**\`\n${WHEN}`,
      "Na conta, fora do bot: Nenhum outro na lista do serviço.",
      READ_AT,
    ]);
  });

  test.each([
    ["pt-BR", "de outra conta sua"],
    ["en-US", "from another account of yours"],
  ] as const)("marks those of another account than this server's in %s", (locale, words) => {
    const ops = [sampleOp({ accountFp: "a" }), sampleOp({ id: "W-AAA11", accountFp: "b" })];
    const textOf = (accountFp?: string) => read({ ops, accountFp, locale }).join("\n");
    expect(textOf("a").match(RegExp(`(W-\\w+)[^\n]*${words}`))?.[1]).toBe("W-AAA11");
    expect(textOf("a").split(words)).toHaveLength(2);
    const inMenu = menusOf(withdrawalListView(facts({ ops, accountFp: "a", locale })))[1]?.options;
    expect(inMenu?.map(({ label }) => label.includes(words))).toEqual([false, true]);
    expect(textOf()).not.toContain(words);
    const long = { kind: "normal", amount: cents(123_456_789), accountFp: "b" } as const;
    const equal = ["W-AAA11", "W-AAA12"].map((id) => sampleOp({ ...long, id }));
    const menu = menusOf(withdrawalListView(facts({ ops: equal, accountFp: "a", locale })))[1];
    expect(menu?.options.map(({ label }) => label.slice(-7))).toEqual(["W-AAA11", "W-AAA12"]);
  });

  test.each([
    ["pt-BR", "Abrir um saque (horários de Brasília)"],
    ["en-US", "Open a withdrawal (Brasília time)"],
  ] as const)("says in %s that the hours in its menu are Brasília's", (locale, placeholder) => {
    const [, menu] = menusOf(withdrawalListView(facts({ ops: [sampleOp()], locale })));
    expect(menu?.placeholder).toBe(placeholder);
  });

  test("names whose split it was and which withdrawal a cancellation is about", () => {
    const text = read({
      ops: [
        sampleOp({ kind: "split_turbo", state: "unknown" }),
        sampleOp({ kind: "cancel", amount: undefined }),
      ],
    }).join("\n");
    expect(text).toContain(
      `W-7K2Q9 · split turbo: **❔ Ainda não sei se foi feito** · <@${RECIPIENT}>`,
    );
    expect(text).toContain(`W-7K2Q9 · cancelamento: **Esperando a sua confirmação** · \`${TXID}\``);
  });

  test.each([
    ["pt-BR", 1, "1 aviso sobre saques dos últimos 7 dias não chegou até você: o Discord recusou"],
    ["pt-BR", 2, "2 avisos sobre saques dos últimos 7 dias não chegaram até você"],
    ["en-US", 1, "1 message about withdrawals of the last 7 days did not reach you"],
    ["en-US", 2, "2 messages about withdrawals of the last 7 days did not reach you"],
  ] as const)("says in %s that %d of its messages did not arrive", (locale, undelivered, words) => {
    expect(read({ locale, undelivered }).join("\n")).toContain(words);
    expect(read({ locale, undelivered, filter: "done" }).join("\n")).not.toContain(words);
  });

  test.each([
    ["pt-BR", 1, "mensagens diretas do servidor em que você vende."],
    ["pt-BR", 3, "mensagens diretas do servidor em que você vende."],
    ["en-US", 1, "direct messages from the server where you sell."],
    ["en-US", 3, "direct messages from the server where you sell."],
  ] as const)(
    "names in %s the server that keeps %d of them, also outside it",
    (locale, undelivered, words) => {
      expect(read({ locale, undelivered }).join("\n")).toContain(words);
    },
  );

  test("shows what was made elsewhere beside it, and counts what does not fit", () => {
    const elsewhere = Array.from({ length: 7 }, (_, index) => listed(`ghost-${index}`));
    const text = read({ elsewhere }).join("\n");
    expect(text).toContain(
      `Na conta, fora do bot: **R$ 75,00** · ✅ Concluído · \`ghost-0\`\n${WHEN}`,
    );
    expect(text).toContain(
      "E mais 2. O menu abre os mais recentes; `/saques txid:` abre qualquer um.",
    );
    expect(text).not.toContain("ghost-5");
  });

  test("counts what does not fit also beside long codes", () => {
    const elsewhere = Array.from({ length: 7 }, (_, index) => ({
      ...listed(`${"t".repeat(60)}-${index}`, { status: "s".repeat(300) }),
      mayBeOpId: "W-7K2Q9",
    }));
    const text = read({ elsewhere }).join("\n");
    expect(text.match(/t-\d/g)).toHaveLength(4);
    expect(text).toContain("E mais 3. ");
  });

  test("shows the newest made elsewhere, in whatever order they came, and those without a time last", () => {
    const elsewhere = Array.from({ length: 11 }, (_, hours) =>
      listed(`ghost-${hours}`, { requestedAt: hours === 0 ? undefined : NOW.add({ hours }) }),
    );
    const shown = facts({ ops: many, elsewhere });
    const inMenu = menusOf(withdrawalListView(shown))[1]?.options.slice(15);
    const newest = Array.from({ length: 10 }, (_, index) => `ghost-${10 - index}`);
    expect(inMenu?.map(({ value }) => value)).toEqual(newest);
    expect(
      readMessage(withdrawalListView(shown))
        .join("\n")
        .match(/ghost-\d+/g),
    ).toEqual(newest.slice(0, 5));
  });

  test("names the withdrawal in doubt that a row may be, in both places", () => {
    const elsewhere = [{ ...listed("ghost-0"), mayBeOpId: "W-7K2Q9" }, listed("ghost-1")];
    const shown = facts({ elsewhere });
    expect(readMessage(withdrawalListView(shown)).join("\n")).toContain(
      `Na lista do serviço: **R$ 75,00** · ✅ Concluído · \`ghost-0\` · talvez o seu W-7K2Q9\n${WHEN}\n` +
        `**R$ 75,00** · ✅ Concluído · \`ghost-1\` · fora do bot\n${WHEN}`,
    );
    expect(JSON.stringify(menusOf(withdrawalListView(shown)))).toContain("talvez o seu W-7K2Q9");
    expect(read({ elsewhere, locale: "en-US" }).join("\n")).toContain("may be your W-7K2Q9");
  });

  test.each([
    ["pt-BR", "Na lista do serviço: ", "de outra pessoa desta conta"],
    ["en-US", "In the service's list: ", "by another person on this account"],
  ] as const)("names in %s another person's as such, in both places", (locale, title, whose) => {
    const shown = facts({ locale, elsewhere: [{ ...listed("theirs-0"), byAnother: true }] });
    const row = readMessage(withdrawalListView(shown)).find((line) => line.startsWith(title));
    expect(row).toContain(`\`theirs-0\` · ${whose}`);
    expect(JSON.stringify(menusOf(withdrawalListView(shown)))).toContain(whose);
  });

  test("shows of a row of the service what it has", () => {
    const bare = { requestedAt: undefined, amount: undefined, status: undefined };
    expect(read({ elsewhere: [listed("bare-1", bare)] })).toContain(
      "Na conta, fora do bot: `bare-1`",
    );
    expect(read({ elsewhere: [listed("new-1", { status: "on_hold" })] }).join()).toContain(
      "`on_hold`",
    );
  });

  test("says when the service's list could not be read, and why", () => {
    const coded = read({ elsewhere: undefined, problem: "timeout", supportCodes: ["req_1"] });
    expect(coded).toContain("Código de suporte: `req_1`");
    expect(read({ elsewhere: undefined, problem: "timeout" }).join("\n")).toContain(
      "Não consegui ler a lista do serviço agora. O serviço de pagamentos demorou demais. O que começou aqui está todo no meu registro",
    );
    expect(read({ elsewhere: undefined }).join("\n")).toContain("conecte com `/conta conectar`");
  });

  test("says how to begin when it is empty, and offers nothing to open", () => {
    const view = withdrawalListView(facts({ ops: [] }));
    expect(readMessage(view)[1]).toContain("Nenhum saque por aqui ainda. Quando você sacar");
    expect(menusOf(view).map(({ custom_id }) => custom_id)).toEqual(["saques:filtro:"]);
  });

  test("says that a state has none, with the way back to the others", () => {
    const view = withdrawalListView(facts({ filter: "scheduled" }));
    expect(readMessage(view)[1]).toContain("Nenhum saque nessa situação");
    expect(readMessage(view).join("\n")).not.toContain("fora do bot");
  });

  test("does not say that nothing ever began here when only the chosen state has none", () => {
    const failed = listed("ghost-1", { status: "failed" });
    expect(read({ filter: "ended", elsewhere: [failed] })[1]).toBe(
      "Dos que começaram por aqui, nenhum está nessa situação.",
    );
  });

  test("shows a cancellation's amount as what was cancelled, not as one more that went out", () => {
    const cancelled = sampleOp({ kind: "cancel", state: "completed", amount: cents(3_500) });
    expect(read({ ops: [cancelled] })[1]).toContain("W-7K2Q9 · cancelamento de R$ 35,00: ");
  });

  test("shows the latest eight of many, and opens every one", () => {
    const view = withdrawalListView(facts({ ops: many }));
    expect(readMessage(view)[1]).toContain("Os 8 mais recentes");
    expect(readMessage(view).filter((each) => each.startsWith("W-"))).toHaveLength(8);
    expect(menusOf(view)[1]?.options).toHaveLength(25);
  });

  test("keeps room in its menu for what was made elsewhere, each thing once", () => {
    const elsewhere = [
      ...Array.from({ length: 12 }, (_, index) => listed(`ghost-${index}`)),
      listed("ghost-0"),
      listed("../meds"),
      listed("x".repeat(200)),
    ];
    const view = withdrawalListView(facts({ ops: many, elsewhere }));
    const values = menusOf(view)[1]?.options.map(({ value }) => value) ?? [];
    expect(values.filter((value) => value.startsWith("ghost-"))).toHaveLength(10);
    expect(values).toHaveLength(25);
    expect(brokenLimits(view)).toEqual([]);
  });

  test("marks what it is narrowed to", () => {
    const [menu] = menusOf(withdrawalListView(facts({ filter: "done" })));
    expect(menu?.options.map((option) => [option.label, option.default])).toEqual([
      ["Todos", false],
      ["Em andamento", false],
      ["Agendados", false],
      ["Concluídos", true],
      ["Não feitos ou cancelados", false],
      ["Ainda sem resposta certa", false],
    ]);
  });
});

describe("narrowed down", () => {
  const codes = (given: Partial<WithdrawalListFacts>) =>
    read(given).filter((each) => each.startsWith("W-"));
  const decided = (resolution: "happened" | "did_not_happen") =>
    acceptedOp({ state: "resolved_manual", resolution });

  test.each([
    ["happened", "done", 1],
    ["happened", "ended", 0],
    ["did_not_happen", "ended", 1],
    ["did_not_happen", "done", 0],
  ] as const)("what its owner said %s is among those %s: %i", (resolution, filter, count) => {
    expect(codes({ ops: [decided(resolution)], filter })).toHaveLength(count);
  });

  test.each([
    ["completed", "done"],
    ["cancelled", "ended"],
    ["processing", "ongoing"],
    ["scheduled", "scheduled"],
  ] as const)("the service's %s are among those %s and no others", (status, filter) => {
    for (const each of withdrawalFilters) {
      const text = read({ ops: [], elsewhere: [listed("ghost-1", { status })], filter: each });
      expect(text.join("\n").includes("ghost-1")).toBe(each === filter || each === "all");
    }
  });

  test("every state but a draft's is somewhere", () => {
    const somewhere = new Set(withdrawalFilters.flatMap((filter) => statesOf(filter) ?? []));
    expect([...somewhere].toSorted()).toEqual(
      [
        "confirmed sending accepted processing scheduled completed resolved_manual failed",
        "cancelled rejected not_sent not_executed refused_local unknown manual",
      ]
        .join(" ")
        .split(" ")
        .toSorted(),
    );
  });
});

test("its menu begins with the amount, and a state has its icon there and in the list", () => {
  const failed = listed("ghost-1", { status: "failed" });
  const view = withdrawalListView(
    facts({ ops: [acceptedOp()], elsewhere: [failed, listed("ghost-2", { status: "on_hold" })] }),
  );
  expect(menusOf(view)[1]?.options.map(({ label }) => label.replaceAll("\u00a0", " "))).toEqual([
    "R$ 1.234,00 · normal · 🕐 Aceito pelo serviço · sex 20/11 15:00 · W-7K2Q9",
    expect.stringMatching(/^R\$ 75,00 · ❌ Falhou · .* · ghost-1$/),
    expect.stringMatching(/^R\$ 75,00 · sex .* · ghost-2$/),
  ]);
  const text = readMessage(view).join("\n");
  expect(text).toContain("**🕐 Aceito pelo serviço**");
  expect(text).toContain("**R$ 75,00** · ❌ Falhou · `ghost-1`");
  expect(text).toContain("**R$ 75,00** · ❔ `on_hold` · `ghost-2`");
});

test("a suggestion is words alone, in Brasília's hour, and its value is the code", () => {
  expect(withdrawalChoices([acceptedOp()], "pt-BR")).toEqual([
    {
      name: "R$\u00a01.234,00 · normal · 🕐 Aceito pelo serviço · sex 20/11 15:00 · W-7K2Q9",
      value: "W-7K2Q9",
    },
  ]);
  expect(withdrawalChoices([...many, ...many], "en-US")).toHaveLength(25);
});

test.each(["pt-BR", "en-US"] as const)("every list in %s fits", (locale) => {
  const elsewhere = Array.from({ length: 30 }, (_, index) =>
    listed(`${"t".repeat(60)}-${index}`, { status: "s".repeat(300) }),
  );
  const wide = many.map((op) => ({ ...op, pixKeyMasked: "k".repeat(300) }));
  for (const filter of withdrawalFilters)
    for (const ops of [[], wide])
      expect(brokenLimits(withdrawalListView(facts({ ops, elsewhere, filter, locale })))).toEqual(
        [],
      );
});
