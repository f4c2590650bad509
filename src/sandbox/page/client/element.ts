type Child = Node | string | null;
type AttributeValue = string | number | boolean | ((event: never) => void) | undefined;

/**
 * A new element. Attributes: true sets an empty one, false and undefined none; a function under `onclick` and the like
 * listens. Texts become text nodes, never markup.
 */
export const element = <Tag extends string>(
  tag: Tag,
  attributes: Readonly<Record<string, AttributeValue>> = {},
  ...children: readonly Child[]
): Tag extends keyof HTMLElementTagNameMap ? HTMLElementTagNameMap[Tag] : HTMLElement => {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") {
      made.addEventListener(name.slice("on".length), value as EventListener);
    } else if (typeof value === "boolean") {
      made.toggleAttribute(name, value);
    } else if (value !== undefined) {
      made.setAttribute(name, String(value));
    }
  }
  made.append(...children.filter((child) => child !== null));
  return made as Tag extends keyof HTMLElementTagNameMap ? HTMLElementTagNameMap[Tag] : HTMLElement;
};

/** The element of the page with this id. @throws Error when index.html has none. */
export const byId = (id: string): HTMLElement => {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`The page has no #${id}`);
  return found;
};
