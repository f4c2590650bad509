import type { DeliveryPayload } from "../../delivery/delivery.ts";
import type { Logger } from "../../shared/log.ts";
import { cut, limits } from "../../ui/embed.ts";
import type { ReplyFile } from "../../ui/reply.ts";
import type { SalesChart } from "../sales-chart.ts";

/** Name of the picture in messages: the same for each, so that an embed can name it. */
export const PICTURE_FILE = "vendas.png";

/** The picture of an answer, or of a post that carries a chart; empty when it cannot be drawn. Never throws. */
export const chartFiles =
  (draw: (chart: SalesChart) => Promise<Uint8Array>, log: Logger) =>
  async ({
    chart,
  }: {
    readonly chart?: DeliveryPayload["chart"] | undefined;
  }): Promise<readonly ReplyFile[]> => {
    if (chart === undefined) return [];
    try {
      const data = await draw(chart.figures);
      const description = cut(chart.inWords, limits.fieldValue);
      return [{ name: PICTURE_FILE, contentType: "image/png", description, data }];
    } catch (error) {
      // The text says all that the picture shows.
      log.warn({ err: error }, "a picture of sales could not be drawn");
      return [];
    }
  };
