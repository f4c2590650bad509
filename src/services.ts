import type { createServices } from "./bot-services.ts";

/** All services that commands use; built by the composition root. */
export type Services = ReturnType<typeof createServices>;
