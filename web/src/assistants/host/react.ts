import { options, render, type VNode } from "preact";

/** React's interface as far as the views use it, by Preact: their build takes this file for `react` and `react-dom/client`. */
export { Component, createContext, createElement } from "preact";
export { useContext as use, useState } from "preact/hooks";

export const createRoot = (place: Element) => ({ render: (shown: VNode) => render(shown, place) });

const { vnode: before } = options;

/** Attributes of SVG have hyphens where React's names have capitals. */
options.vnode = (node) => {
  const props = node.props as Record<string, unknown>;
  if (node.type === "svg") {
    for (const name of Object.keys(props).filter((each) => /^stroke[A-Z]/.test(each)))
      props[name.replace(/[A-Z]/, (capital) => `-${capital.toLowerCase()}`)] = props[name];
  }
  before?.(node);
};
