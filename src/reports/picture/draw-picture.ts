import { fileURLToPath } from "node:url";
import { Resvg } from "@resvg/resvg-js";
import type { SalesChart } from "../sales-chart.ts";
import { chartSvg, PICTURE_WIDTH } from "./chart-svg.ts";

const fontFiles = [
  import.meta.resolve("@expo-google-fonts/lato/400Regular/Lato_400Regular.ttf"),
  import.meta.resolve("@expo-google-fonts/lato/700Bold/Lato_700Bold.ttf"),
].map((address) => fileURLToPath(address));

/** A PNG. The bot brings the font, because a bare machine has none. */
export const drawPicture = (chart: SalesChart): Uint8Array =>
  new Resvg(chartSvg(chart), {
    fitTo: { mode: "width", value: PICTURE_WIDTH },
    font: {
      loadSystemFonts: false,
      fontFiles,
      defaultFontFamily: "Lato",
    },
  })
    .render()
    .asPng();
