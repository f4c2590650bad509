import type { ActOutcome, PageView } from "../page-view.ts";

/** A value for `/act`, without the person. */
export type ActBody = Readonly<Record<string, unknown>> & { readonly kind: string };

/** @throws Error when the server does not answer, or refuses what the page sent. */
export const post = async <Answer>(path: string, body: unknown): Promise<Answer> => {
  const response = await fetch(path, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`POST ${path} answered ${response.status}`);
  return (await response.json()) as Answer;
};

/** What the person does; never rejects. */
export const act = async (person: string, body: ActBody): Promise<ActOutcome> => {
  try {
    return await post<ActOutcome>("/act", { person, ...body });
  } catch {
    return { kind: "failed", reason: "page_server" };
  }
};

/** The person's view, pushed at each change; gives back what ends it. The browser reconnects by itself. */
export const watch = (
  person: string,
  onView: (view: PageView) => void,
  onConnection: (connected: boolean) => void,
): (() => void) => {
  const source = new EventSource(`/events?person=${encodeURIComponent(person)}`);
  source.addEventListener("message", (event: MessageEvent<string>) => {
    onView(JSON.parse(event.data) as PageView);
  });
  source.addEventListener("open", () => onConnection(true));
  source.addEventListener("error", () => onConnection(false));
  return () => source.close();
};
