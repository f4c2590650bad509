/** Who waits for whom when an account's quota is short: money before a person, a person before a job. */
export type Lane = "money" | "interactive" | "background";
