import { describe, expect, test } from "vitest";
import { type AlertStep, alertSteps, type ReminderOutcome } from "#src/disputes/dispute-alert.ts";
import { followedDispute } from "#src/disputes/dispute-watch.ts";
import type { Locale } from "#src/shared/locale.ts";
import {
  alertChannelLostNotice,
  type AlertFacts,
  disputeAlert,
  reminderView,
  repeatedAlert,
  unlistedAlert,
} from "#src/disputes/dispute-alert.view.ts";
import { NOW, READ_AT, WHEN } from "../support/samples.ts";
import { CONTESTED, DUE, DUE_WHEN, INFRACTION, sampleDispute } from "./dispute-samples.ts";
import { brokenLimits } from "../ui/message-limits.ts";
import { buttonsOf, readMessage } from "../ui/read-message.ts";

const PINGS = { userId: "1180000000000000011", roleId: "1180000000000000301" };
const MARK = "Balcão · ref a1b2c3d4";
const WAITING: readonly AlertStep[] = ["new", "72h", "48h", "24h", "6h", "1h"];
const DATED: readonly AlertStep[] = [...WAITING, "overdue"];
const locales: readonly Locale[] = ["pt-BR", "en-US"];
const everyStep = alertSteps.flatMap((step) => locales.map((locale) => ({ step, locale })));

const alert = (given: Partial<AlertFacts> = {}) =>
  disputeAlert({
    step: "new",
    dispute: followedDispute("account-1", sampleDispute(), NOW),
    pings: undefined,
    at: NOW,
    locale: "pt-BR",
    reference: "ref a1b2c3d4",
    ...given,
  });
const read = (given: Partial<AlertFacts> = {}) => readMessage(alert(given));

describe("an alert of a dispute", () => {
  test("says what happened, what to do and until when, and no more than a channel may read", () => {
    expect(read()).toEqual([
      "Novo MED de R$ 249,00: 2 dias para responder",
      "Um pagador contestou um pagamento, e o valor líquido está retido. Responda no painel do serviço: eu não consigo responder por aqui.",
      "Valor: **R$ 249,00**",
      `Prazo da resposta: **${DUE_WHEN}**`,
      `Infração: \`${INFRACTION}\``,
      MARK,
    ]);
  });

  test("tells an agreement as one, since it may be somebody else's", () => {
    const dispute = followedDispute("account-1", sampleDispute({ status: "agreed" }), NOW);
    const [title, text] = read({ step: "answered", dispute });
    expect(title).toBe("MED de R$ 249,00: você concordou");
    expect(text).toContain("Se não foi você, veja agora no painel do serviço.");
    expect(alert({ step: "answered", dispute }).content).toContain("você concordou");
    const defended = followedDispute("account-1", sampleDispute({ status: "disagreed" }), NOW);
    expect(read({ step: "answered", dispute: defended })[0]).toBe("MED de R$ 249,00 respondido");
  });

  test("leads to the page where it is answered first, while it can be answered", () => {
    const answerUrl = "https://painel.example/med";
    const first = (step: AlertStep) => alert({ step, answerUrl }).components?.[0]?.components[0];
    const link = { url: answerUrl, label: "Responder no painel" };
    for (const step of DATED) expect(first(step)).toMatchObject(link);
    expect(brokenLimits(alert({ answerUrl }))).toEqual([]);
    expect(alert({ answerUrl }).components).toHaveLength(2);
    for (const step of ["answered", "won", "lost", "cancelled"] as const)
      expect(first(step)).not.toMatchObject(link);
    const unlisted = {
      pending: 2,
      unlisted: 1,
      pings: undefined,
      locale: "pt-BR",
      reference: "ref",
    } as const;
    expect(unlistedAlert({ ...unlisted, answerUrl }).components?.[0]?.components).toMatchObject([
      link,
    ]);
    expect(unlistedAlert(unlisted)).not.toHaveProperty("components");
  });

  test("of a decision has both amounts, and no deadline that is over", () => {
    expect(read({ step: "won" })).toEqual([
      "MED de R$ 249,00 ganho: valor liberado",
      "O banco recusou a contestação, e o valor foi liberado. Confira em `/saldo`.",
      "Valor: **R$ 249,00**",
      "Líquido da venda: R$ 234,06",
      `Infração: \`${INFRACTION}\``,
      MARK,
    ]);
    expect(read({ step: "answered" })).toContain("Retido (o líquido): R$ 234,06");
  });

  test.each(everyStep)("%j fits, with amounts that do not break", ({ step, locale }) => {
    const shown = alert({ step, locale, pings: PINGS });
    expect(brokenLimits(shown)).toEqual([]);
    const text = JSON.stringify(shown);
    expect(text).toContain(`R$\u00a0249${locale === "pt-BR" ? "," : "."}00`);
    expect(text).not.toMatch(/R\$ \d/);
    expect(text.includes(DUE_WHEN)).toBe(DATED.includes(step));
    expect(shown.embeds?.[0]?.footer?.text).toBe(MARK);
  });

  test.each(everyStep)("%j tells nothing of who pays, of the sale or of the account", (given) => {
    const { embeds, content } = alert(given);
    expect(JSON.stringify([embeds, content])).not.toMatch(
      new RegExp(`Carla|482|reconhece|VIP|${CONTESTED}|account-1`),
    );
  });

  test.each(everyStep)("%j pings whom it is given, and nobody without", (given) => {
    expect(alert({ ...given, pings: PINGS }).pings).toEqual(PINGS);
    expect(JSON.stringify(alert(given))).not.toMatch(/pings|<@/);
  });

  test.each([
    // As Discord counts beside it.
    [7 * 24 - 1 / 6, "7 dias"],
    [6 * 24 + 22, "6 dias"],
    [2 * 24, "2 dias"],
    [47, "47 horas"],
    [24, "24 horas"],
    [5, "5 horas"],
    [1, "1 hora"],
    [0.5, "30 minutos"],
  ])("that is new, %s hours before its deadline, says %s, in red within a day", (hours, left) => {
    const at = DUE.subtract({ minutes: Math.round(hours * 60) });
    const [embed] = alert({ at }).embeds ?? [];
    expect(embed?.title).toBe(`Novo MED de R$\u00a0249,00: ${left} para responder`);
    expect(embed?.color).toBe(hours < 24 ? 0xc8_3a_3a : 0xe0_a0_30);
    expect(alert({ at: DUE }).embeds?.[0]?.title).toBe("Novo MED de R$\u00a0249,00");
  });

  test("has a title and words of its own for each step, in each language", () => {
    const shown = everyStep.map(({ step, locale }) => read({ step, locale }));
    expect(new Set(shown.map(([title]) => title)).size).toBe(everyStep.length);
    for (const lines of shown) expect(lines.join("\n")).not.toContain("!");
  });

  test("that awaits an answer says where it is given and never that the bot gave it", () => {
    for (const step of WAITING) {
      expect(read({ step })[1]).toContain("Responda no painel do serviço: eu não consigo");
      expect(read({ step, locale: "en-US" })[1]).toContain("dashboard: I cannot answer from here");
    }
    for (const { step, locale } of everyStep)
      expect(read({ step, locale }).join("\n")).not.toMatch(/\brespondi\b|\bI (have )?answered\b/i);
  });
});

describe("the buttons of an alert", () => {
  const labels = (step: AlertStep, at = NOW) => Object.keys(buttonsOf(alert({ step, at })));
  const near = DUE.subtract({ hours: 6 });
  const see = "Ver detalhes";
  const answered = "Já respondi no painel";
  const defence = "Preparar defesa";

  test.each([
    [
      ["new", "72h", "48h", "24h"],
      [see, answered, "Pausar lembretes por até 6 h", defence, "Agenda"],
    ],
    [["overdue"], [see, defence]],
    [["answered", "won", "lost", "cancelled"], [see]],
  ] as const)("of %j are %j", (steps, offered) => {
    for (const step of steps) expect(labels(step)).toEqual(offered);
  });

  test("do not offer to put off what cannot be put off any more", () => {
    for (const step of WAITING) {
      expect(labels(step, near)).toEqual([see, answered, defence, "Agenda"]);
      expect(labels(step, near.subtract({ seconds: 1 }))).toContain("Pausar lembretes por até 6 h");
    }
  });

  test("name the account and the dispute, and nothing else", () => {
    const ref = `account-1.${INFRACTION}`;
    expect(buttonsOf(alert())).toEqual({
      [see]: `meds:ver:${ref}`,
      [answered]: `meds:respondi:${ref}`,
      "Pausar lembretes por até 6 h": `meds:adiar:${ref}`,
      [defence]: `meds:defesa:${ref}`,
      Agenda: `meds:agenda:${ref}`,
    });
  });
});

describe("an alert that is sent again", () => {
  test.each(everyStep)("%j is the same but for its mark and its reference", ({ step, locale }) => {
    const first = alert({ step, locale, pings: PINGS });
    const again = repeatedAlert(first, "ref e5f6a7b8", locale);
    const mark = locale === "pt-BR" ? "(reenvio: não foi possível" : "(sent again: the one before";
    expect(readMessage(again)[1]?.startsWith(mark)).toBe(true);
    expect(readMessage(again)[1]).toContain(readMessage(first)[1]);
    expect(readMessage(again).at(-1)).toBe("Balcão · ref e5f6a7b8");
    const alone = locale === "pt-BR" ? "Reenvio: " : "Sent again: ";
    expect(again).toEqual({ ...first, content: alone + first.content, embeds: again.embeds });
    expect(brokenLimits(again)).toEqual([]);
  });
});

test.each(locales)("that a channel is lost is told in %s with the way to mend it", (locale) => {
  const notice = alertChannelLostNotice({
    guildId: "117",
    channelId: "118",
    noticedAt: NOW,
    locale,
    reference: "r",
  });
  const text = readMessage(notice).join("\n");
  expect(text).toContain("<#118>");
  expect(text).toContain("`/config alertas`");
  expect(text).toContain(READ_AT);
  expect(brokenLimits(notice)).toEqual([]);
});

const watched = {
  watchId: "account-1",
  infractionId: INFRACTION,
  dueAt: DUE,
  doneSteps: [],
  snoozedUntil: undefined,
};
const answers: readonly ReminderOutcome[] = [
  { kind: "muted", watched },
  { kind: "resumed", watched },
  { kind: "snoozed", watched, until: NOW },
  { kind: "too_late", watched },
  { kind: "nothing", state: "defended", watched },
];

test.each([
  ["muted", "Anotado: você já respondeu", "Paro os lembretes deste prazo. Se 6 horas antes"],
  ["resumed", "Volto a lembrar", "Volto a lembrar você deste MED até o fim do prazo"],
  ["snoozed", "Lembretes pausados", `Nenhum lembrete deste MED até ${WHEN}.`],
  ["too_late", "Não dá mais para pausar", "Faltam menos de 6 horas para o prazo"],
  ["nothing", "Este MED não espera resposta", "Não há mais lembretes dele"],
])("a wish that ends as %s is answered with %j and the deadline", (kind, title, words) => {
  const answer = answers.find((each) => each.kind === kind);
  const [shownTitle, description, deadline, ...more] = readMessage(
    reminderView(answer!, NOW, "pt-BR"),
  );
  expect(shownTitle).toBe(title);
  expect(description).toContain(words);
  expect(deadline).toBe(`Prazo da resposta: ${DUE_WHEN}`);
  expect(more).toEqual([]);
});

test.each([
  [
    "overdue",
    "pt-BR",
    "Prazo vencido: pode",
    "Veja no painel do serviço se ainda dá para responder.",
  ],
  [
    "other",
    "pt-BR",
    "Situação que não conheço",
    "uma palavra que não conheço: veja no painel dele se",
  ],
  [
    "overdue",
    "en-US",
    "Deadline passed: the claim may be accepted",
    "Check its dashboard to see whether you can still",
  ],
  [
    "other",
    "en-US",
    "A state that I do not know",
    "that I do not know: check its dashboard to see",
  ],
] as const)(
  "a MED in the state %s may still be answered, and is not said in %s to await nothing",
  (state, locale, title, next) => {
    const view = reminderView({ kind: "nothing", state, watched }, NOW, locale);
    const [shownTitle, description] = readMessage(view);
    expect(shownTitle).toContain(title);
    expect(description).toContain(next);
    expect(description).toMatch(/Não há mais lembretes dele|It has no more reminders/);
    expect(brokenLimits(view)).toEqual([]);
  },
);

test.each(["defended", "conceded", "lost", "won", "cancelled"] as const)(
  "a MED in the state %s awaits no answer",
  (state) => {
    const [title] = readMessage(reminderView({ kind: "nothing", state, watched }, NOW, "pt-BR"));
    expect(title).toBe("Este MED não espera resposta");
  },
);

test.each([
  [{ hours: 6, minutes: 1 }, "Se 6 horas antes dele o serviço ainda disser"],
  [{ hours: 6 }, "Se daqui a 15 minutos o serviço ainda disser"],
  [{ hours: 1, minutes: 1 }, "Se daqui a 15 minutos o serviço ainda disser"],
  [{ hours: 1 }, "Não há mais lembretes antes do prazo: confira"],
])("with %j left, who has answered reads what still may come", (left, words) => {
  const view = reminderView({ kind: "muted", watched }, DUE.subtract(left), "pt-BR");
  expect(readMessage(view)[1]).toContain(words);
});

test("who stopped reminders may have them back, until the last one was made", () => {
  const shown = (answer: ReminderOutcome) => buttonsOf(reminderView(answer, NOW, "pt-BR"));
  const way = { "Voltar a lembrar": `meds:lembrar:account-1.${INFRACTION}` };
  expect(answers.map((answer) => [answer.kind, shown(answer)])).toEqual([
    ["muted", way],
    ["resumed", {}],
    ["snoozed", {}],
    ["too_late", {}],
    ["nothing", {}],
  ]);
  expect(shown({ kind: "muted", watched: { ...watched, doneSteps: ["6h", "1h"] } })).toEqual({});
});

test("who has reminders back reads which still may come", () => {
  const said = (more: Partial<ReminderOutcome["watched"]>) =>
    readMessage(
      reminderView({ kind: "resumed", watched: { ...watched, ...more } }, NOW, "pt-BR"),
    )[1];
  expect(said({ doneSteps: ["1h"] })).toContain("O último lembrete deste prazo já saiu");
  expect(said({ snoozedUntil: NOW.add({ hours: 1 }) })).toContain("estão pausados até");
});

test("each has words of its own in each language, and fits", () => {
  const views = answers.flatMap((answer) => [
    reminderView(answer, NOW, "pt-BR"),
    reminderView(answer, NOW, "en-US"),
  ]);
  expect(new Set(views.map((view) => readMessage(view)[0])).size).toBe(views.length);
  expect(new Set(views.map((view) => readMessage(view)[1])).size).toBe(views.length);
  for (const view of views) expect(brokenLimits(view)).toEqual([]);
});
