type Child = Node | string | null;
type AttributeValue = string | number | boolean | ((event: never) => void) | undefined;

/**
 * Creates an element. Attributes: true sets an empty attribute, false and undefined omit it; functions (`onclick` and
 * others) become event listeners. Strings become text nodes, never markup.
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

export const smallButton = (label: string, act: () => void): HTMLButtonElement =>
  element("button", { type: "button", class: "button small secondary", onclick: act }, label);

/** @throws Error if index.html has no element with this id. */
export const byId = (id: string): HTMLElement => {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`The page has no #${id}`);
  return found;
};

/** Shows how an action ended, in the element with this id. */
export const resultLine = (id: string): ((text: string, problem: boolean) => void) => {
  const line = byId(id);
  return (text, problem) => {
    line.classList.toggle("problem", problem);
    line.textContent = text;
  };
};

export interface KeyedChild {
  readonly key: string;
  /** Children with the same key and signature look the same. */
  readonly signature: string;
  readonly render: () => HTMLElement;
}

/** The rows of a list, or one that says that there are none. */
export const rowsOrNone = (rows: readonly KeyedChild[], none: string): readonly KeyedChild[] =>
  rows.length > 0
    ? rows
    : [{ key: "none", signature: none, render: () => element("li", { class: "none" }, none) }];

/**
 * Updates the children of `parent` to match a list. Unchanged children remain the same elements, so that focus,
 * selection and scroll position survive a push.
 */
export const createKeyedChildren = (parent: HTMLElement) => {
  let kept = new Map<string, { readonly signature: string; readonly node: HTMLElement }>();

  return (children: readonly KeyedChild[]): void => {
    const next: typeof kept = new Map();
    for (const child of children) {
      const earlier = kept.get(child.key);
      const node = earlier?.signature === child.signature ? earlier.node : child.render();
      if (earlier !== undefined && earlier.node !== node) replace(earlier.node, node, parent);
      next.set(child.key, { signature: child.signature, node });
    }
    for (const [key, { node }] of kept) {
      if (next.has(key)) continue;
      if (node.contains(document.activeElement)) focusList(parent);
      node.remove();
    }
    let place = parent.firstElementChild;
    for (const { node } of next.values()) {
      if (node === place) place = place.nextElementSibling;
      else parent.insertBefore(node, place);
    }
    kept = next;
  };
};

const FOCUSABLE = "button, select, a[href]";

const focusList = (parent: HTMLElement): void =>
  parent.closest<HTMLElement>("[tabindex]")?.focus({ preventScroll: true });

/**
 * Replaces an element and restores keyboard focus to the same control, or to the list if the control is gone: another
 * one that took its place would be pressed by the next Enter.
 */
const replace = (old: HTMLElement, next: HTMLElement, parent: HTMLElement): void => {
  const earlier = [...old.querySelectorAll<HTMLElement>(FOCUSABLE)];
  const place = earlier.indexOf(document.activeElement as HTMLElement);
  old.replaceWith(next);
  const focused = earlier[place];
  if (focused === undefined) return;
  const controls = [...next.querySelectorAll<HTMLElement>(FOCUSABLE)];
  const control =
    controls.length === earlier.length
      ? controls[place]
      : controls.find(({ textContent }) => textContent === focused.textContent);
  // A message component lays out its children in the next frame and cannot take focus earlier.
  requestAnimationFrame(() => {
    if (document.activeElement !== document.body) return;
    control?.focus();
    if (document.activeElement === document.body) focusList(parent);
  });
};
