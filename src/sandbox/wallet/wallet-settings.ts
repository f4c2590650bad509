/** How `GET /v1/withdrawals`, whose shape is not documented, wraps its array. */
export const LIST_SHAPES = [
  "withdrawals",
  "data",
  "items",
  "results",
  "root",
  "unreadable",
] as const;
export type ListShape = (typeof LIST_SHAPES)[number];

/** Likewise of `GET /v1/meds`. */
export const MED_LIST_SHAPES = [
  "meds",
  "infractions",
  "data",
  "items",
  "results",
  "root",
  "unreadable",
] as const;
export type MedListShape = (typeof MED_LIST_SHAPES)[number];

/** What a test may set otherwise while the wallet runs. */
export interface WalletSettings {
  /** Delay of every answer, in milliseconds of real time. */
  latencyMs: number;
  /** Rows of `GET /v1/withdrawals`, which has but one page. */
  withdrawalPageSize: number;
  withdrawalListShape: ListShape;
  /**
   * False: several withdrawals at once, in a day and of any amount. The service's limits would hide a withdrawal that
   * was asked for twice, and a client must not count on them.
   */
  withdrawalLimits: boolean;
  /** Rows of `GET /v1/meds`, which has but one page. */
  medPageSize: number;
  medListShape: MedListShape;
  /** Days after its deadline at which a MED without an answer is accepted by itself; undefined: it never is. */
  medAcceptedAfterDays: number | undefined;
}

export const DEFAULT_SETTINGS: Readonly<WalletSettings> = {
  latencyMs: 0,
  withdrawalPageSize: 20,
  withdrawalListShape: "withdrawals",
  withdrawalLimits: true,
  medPageSize: 20,
  medListShape: "meds",
  medAcceptedAfterDays: undefined,
};
