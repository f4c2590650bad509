/** Titles of what is told of a dispute, by its step. */
export const TITLE = {
  new: "Novo MED",
  "72h": "MED: menos de 3 dias para responder",
  "48h": "MED: menos de 2 dias para responder",
  "24h": "MED: menos de 24 horas para responder",
  "6h": "MED: menos de 6 horas para responder",
  "1h": "MED: menos de 1 hora para responder",
  overdue: "MED: o prazo passou sem resposta",
  answered: "MED respondido",
  won: "MED ganho: valor liberado",
  lost: "MED perdido: devolvido ao pagador",
  cancelled: "MED cancelado",
} as const;
