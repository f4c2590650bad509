import { openedMed, type Med } from "./med-book.ts";

const DAYS_TO_ANSWER = 7;
const HOURS_TO_ANSWER = 20;
const DAYS_TO_DECIDE = 5;

type Answered = "agreed" | "disagreed";

/** One MED of each state that the document knows, and of each form of the contested payment. */
export const seededMeds = (start: Temporal.Instant): readonly Med[] => {
  const daysAgo = (days: number) => start.subtract({ hours: 24 * days });
  return [
    opened("b3c5e0f2-66d1-4a7e-8f19-0d42a7c81e53", daysAgo(2), 249_00, "FRAUDE", {
      type: "api",
      product: "Plano VIP mensal",
    }),
    opened("3a9e4d70-51cb-4f2e-9d06-b7f8c2e1a945", daysAgo(6.5), 89_50, "ERRO", {
      type: "esales",
      product: "Pacote de emojis personalizados",
    }),
    answered(
      opened("7c11f5d8-0b6a-4c93-a2e4-5d9083fbe617", daysAgo(4), 45_90, "FRAUDE", {
        type: "api",
        product: "Arte para banner",
      }),
      "disagreed",
      "Produto entregue; comprovante de acesso enviado.",
    ),
    answered(
      opened("d80b6e29-4f7c-4e15-8a3d-60c1f9b2752e", daysAgo(3), 19_99, "ERRO", undefined),
      "agreed",
      "Vendedor concorda com a devolução.",
    ),
    decided(
      answered(
        opened("0e8a7d14-92bf-4c36-b5a0-71f3d96c2b08", daysAgo(20), 97_00, "ERRO", {
          type: "esales",
          product: "Curso de edição de vídeo",
        }),
        "disagreed",
        "Compra confirmada pelo comprador.",
      ),
      "rejected",
    ),
    decided(
      answered(
        opened("5f71b9c6-1d08-4e92-a3d7-c84e60fb2719", daysAgo(25), 160_00, "FRAUDE", undefined),
        "agreed",
        "Vendedor concorda com a devolução.",
      ),
      "accepted",
    ),
    decided(
      opened("91e2c7a4-38df-4b60-95f8-2ad4e06b13c9", daysAgo(30), 180_00, "FRAUDE", {
        type: "api",
        product: "Mentoria em grupo",
      }),
      "accepted",
    ),
    {
      ...opened("64fd0b3e-a795-4d28-b1c6-e8370a5f29d4", daysAgo(12), 249_00, "ERRO", {
        type: "api",
        product: "Plano VIP mensal",
      }),
      status: "canceled",
      resolvedAt: daysAgo(11),
    },
  ];
};

const opened = (
  infractionId: string,
  openedAt: Temporal.Instant,
  amountCents: number,
  situationType: Med["situationType"],
  original: Med["original"],
): Med =>
  openedMed({
    infractionId,
    txid: infractionId.replaceAll("-", "").slice(0, 24),
    amountCents,
    situationType,
    openedAt,
    dueAt: openedAt.add({ hours: 24 * DAYS_TO_ANSWER }),
    original,
  });

const answered = (med: Med, status: Answered, text: string): Med => ({
  ...med,
  status,
  answer: { at: med.openedAt.add({ hours: HOURS_TO_ANSWER }), text },
});

const decided = (med: Med, analysisStatus: "accepted" | "rejected"): Med => ({
  ...med,
  analysisStatus,
  resolvedAt: (med.answer?.at ?? med.dueAt).add({ hours: 24 * DAYS_TO_DECIDE }),
});
