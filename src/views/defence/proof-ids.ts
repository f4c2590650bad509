/** Custom ids of everything that is clicked about proofs, in the form of `discord/custom-id.ts`; `commands/provas.ts` serves them. */
export const proofIds = {
  tie: (pendingId: string): string => `provas:guardar:${pendingId}`,
  page: (page: number): string => `provas:pagina:${page}`,
  /** A menu; the values are ids of the person's own proofs. */
  open: "provas:abrir:",
  /** All of the person's proofs as a file. */
  download: "provas:baixar:",
  remove: (id: string): string => `provas:apagar:${id}`,
} as const;

/** Field of the form that ties a proof to its sale; fixed by the outside contract. */
export const TXID_FIELD = "txid";
