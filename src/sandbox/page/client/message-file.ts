import type { PageLocale, PageMessage } from "../page-view.ts";
import { element } from "./element.ts";

const UNITS = ["byte", "kilobyte", "megabyte"] as const;
const STEP = 1_024;

/** Bytes in words: `512 bytes`, `1,5 kB`, `10 MB`. */
export const fileSize = (bytes: number, locale: PageLocale): string => {
  const power = bytes < STEP ? 0 : bytes < STEP * STEP ? 1 : 2;
  return new Intl.NumberFormat(locale, {
    style: "unit",
    unit: UNITS[power],
    maximumFractionDigits: 1,
  }).format(bytes / STEP ** power);
};

/** A file under a message, to be saved. It comes from this machine alone; of any other, there is no link. */
export const renderFile = (
  { name, size, url }: PageMessage["files"][number],
  locale: PageLocale,
): HTMLElement => {
  const local = new URL(url, location.href).hostname === location.hostname;
  return element(
    "div",
    { slot: "attachments", class: "file" },
    local ? element("a", { href: url, download: name }, name) : element("span", {}, name),
    element("span", { class: "file-size" }, fileSize(size, locale)),
  );
};
