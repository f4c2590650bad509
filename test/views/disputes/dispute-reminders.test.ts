import { expect, test } from "vitest";
import { type ReminderAnswer, reminderView } from "#src/views/disputes/dispute-reminders.ts";
import { NOW } from "../../support/samples.ts";
import { DUE, DUE_WHEN, WHEN } from "./dispute-samples.ts";
import { brokenLimits } from "../message-limits.ts";
import { readMessage } from "../read-message.ts";

const watched = { dueAt: DUE, doneSteps: [] };
const answers: readonly ReminderAnswer[] = [
  { kind: "muted", watched },
  { kind: "already_muted", watched },
  { kind: "snoozed", watched, until: NOW },
  { kind: "too_late", watched },
  { kind: "nothing", watched },
];

test.each([
  ["muted", "Anotado: você já respondeu", "Paro os lembretes deste prazo. Se 6 horas antes"],
  ["already_muted", "Os lembretes já estão parados", "Você disse que já respondeu, e não há o que"],
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
    const answer = { kind: "already_muted", watched: { dueAt: DUE, doneSteps } } as const;
    const view = reminderView(answer, DUE.subtract(left), "pt-BR");
    expect(readMessage(view)[1]).toContain(words);
    expect(readMessage(view)[1]).not.toContain("Nenhum lembrete");
  },
);

test("each has words of its own in each language, and fits", () => {
  const views = answers.flatMap((answer) => [
    reminderView(answer, NOW, "pt-BR"),
    reminderView(answer, NOW, "en-US"),
  ]);
  expect(new Set(views.map((view) => readMessage(view)[0])).size).toBe(views.length);
  expect(new Set(views.map((view) => readMessage(view)[1])).size).toBe(views.length);
  for (const view of views) expect(brokenLimits(view)).toEqual([]);
});
