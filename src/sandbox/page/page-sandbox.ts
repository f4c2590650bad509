import type { Sandbox } from "../start-sandbox.ts";

/** What the page needs of the sandbox. */
export type PageSandbox = Pick<Sandbox, "clock" | "discord" | "wallet" | "faults">;
