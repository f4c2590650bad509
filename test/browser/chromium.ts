import { existsSync } from "node:fs";

/** Where Debian's package puts it. */
export const CHROMIUM = "/usr/bin/chromium";

export const hasChromium = existsSync(CHROMIUM);
