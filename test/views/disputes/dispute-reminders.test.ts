import { expect, test } from "vitest";
import { type ReminderAnswer, reminderView } from "#src/views/disputes/dispute-reminders.ts";
import { NOW } from "../../support/samples.ts";
import { DUE, DUE_WHEN, INFRACTION, WHEN } from "./dispute-samples.ts";
import { brokenLimits } from "../message-limits.ts";
import { buttonsOf, readMessage } from "../read-message.ts";

const watched = {
  accountId: "account-1",
  infractionId: INFRACTION,
  dueAt: DUE,
  doneSteps: [],
  snoozedUntil: undefined,
};
const answers: readonly ReminderAnswer[] = [
  { kind: "muted", watched },
  { kind: "already_muted", watched },
  { kind: "resumed", watched },
  { kind: "snoozed", watched, until: NOW },
  { kind: "too_late", watched },
  { kind: "nothing", watched },
];

test.each([
  ["muted", "Anotado: você já respondeu", "Paro os lembretes deste prazo. Se 6 horas antes"],
  ["already_muted", "Os lembretes já estão parados", "Você disse que já respondeu, e não há o que"],
  ["resumed", "Volto a lembrar", "Volto a lembrar você deste MED até o fim do prazo"],
  ["snoozed", "Lembretes adiados", `Nenhum lembrete deste MED até ${WHEN}.`],
  ["too_late", "Não dá mais para adiar", "Faltam menos de 6 horas para o prazo"],
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
  [{ hours: 6, minutes: 1 }, "Se 6 horas antes dele o serviço ainda disser"],
  [{ hours: 6 }, "Se daqui a 15 minutos o serviço ainda disser"],
  [{ hours: 1, minutes: 1 }, "Se daqui a 15 minutos o serviço ainda disser"],
  [{ hours: 1 }, "Não há mais lembretes antes do prazo: confira"],
])("with %j left, who has answered reads what still may come", (left, words) => {
  const view = reminderView({ kind: "muted", watched }, DUE.subtract(left), "pt-BR");
  expect(readMessage(view)[1]).toContain(words);
});

test.each([
  [{ hours: 6, minutes: 1 }, [], "Se 6 horas antes do prazo o serviço ainda disser"],
  [{ hours: 6 }, ["6h"], "Se nos próximos minutos o serviço ainda disser"],
  [{ minutes: 50 }, ["6h"], "Se nos próximos minutos o serviço ainda disser"],
  [{ minutes: 50 }, ["6h", "1h"], "Não há mais lembretes antes do prazo: confira"],
] as const)(
  "with %j left and %j told, who puts off stopped reminders reads what still may come",
  (left, doneSteps, words) => {
    const answer = { kind: "already_muted", watched: { ...watched, doneSteps } } as const;
    const view = reminderView(answer, DUE.subtract(left), "pt-BR");
    expect(readMessage(view)[1]).toContain(words);
    expect(readMessage(view)[1]).not.toContain("Nenhum lembrete");
  },
);

test("who stopped reminders may have them back, until the last one was made", () => {
  const shown = (answer: ReminderAnswer) => buttonsOf(reminderView(answer, NOW, "pt-BR"));
  const way = { "Voltar a lembrar": `meds:lembrar:account-1.${INFRACTION}` };
  expect(answers.map((answer) => [answer.kind, shown(answer)])).toEqual([
    ["muted", way],
    ["already_muted", way],
    ["resumed", {}],
    ["snoozed", {}],
    ["too_late", {}],
    ["nothing", {}],
  ]);
  expect(shown({ kind: "muted", watched: { ...watched, doneSteps: ["6h", "1h"] } })).toEqual({});
});

test("who has reminders back reads which still may come", () => {
  const said = (more: Partial<ReminderAnswer["watched"]>) =>
    readMessage(
      reminderView({ kind: "resumed", watched: { ...watched, ...more } }, NOW, "pt-BR"),
    )[1];
  expect(said({ doneSteps: ["1h"] })).toContain("O último lembrete deste prazo já saiu");
  expect(said({ snoozedUntil: NOW.add({ hours: 1 }) })).toContain("estão adiados até");
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
