import type { Page } from "playwright-core";

/**
 * Returns the visible controls of a page whose boundary cannot be told from what surrounds it: neither their background
 * nor their border has a contrast of 3:1 to it (WCAG 1.4.11). A button that is only text has no boundary.
 */
export const faintBorders = (page: Page): Promise<string[]> =>
  page.evaluate<string[]>(`(() => { ${MEASURE}
  const controls = "input:not([type=hidden]), select, textarea, button, [role=button], [role=combobox], a.button, [class*=Switch-track]";
  return [...document.querySelectorAll(controls)].flatMap((element) => {
    const style = getComputedStyle(element);
    const box = element.getBoundingClientRect();
    const isShown = box.width > 3 && box.height > 3 && element.checkVisibility({ opacityProperty: true, visibilityProperty: true });
    const isInactive = element.disabled || element.closest("[aria-disabled=true], [data-disabled=true]") !== null;
    const isNative = ["checkbox", "radio", "file", "color", "range"].includes(element.type) && style.appearance !== "none";
    if (!isShown || isInactive || isNative) return [];
    const around = backgroundOf(element.parentElement);
    const own = over(rgba(style.backgroundColor), around);
    if (contrast(own, around) >= 3) return [];
    const sides = ["Top", "Right", "Bottom", "Left"].filter((side) =>
      parseFloat(style["border" + side + "Width"]) > 0 && style["border" + side + "Style"] !== "none");
    const colors = sides.map((side) => rgba(style["border" + side + "Color"])).filter(([, , , alpha]) => alpha > 0);
    const isText = !element.matches("input, select, textarea");
    if (colors.length === 0) return isText || element.closest("[data-unstyled], [data-borderless], [data-variant=unstyled]") || style.borderStyle === "none" ? [] : [told(element, 1)];
    const worst = Math.min(...colors.map((color) => contrast(over(color, around), around)));
    return worst < 3 ? [told(element, worst)] : [];
  });
})()`);

/** Returns what is wrong with the mark of the focused element: nothing if its outline or border has 3:1. */
export const faintFocus = (page: Page): Promise<string[]> =>
  page.evaluate<string[]>(`(() => { ${MEASURE}
  const element = document.activeElement;
  if (element === null || element === document.body || element.matches("iframe, main, h1")) return [];
  const around = backgroundOf(element.parentElement);
  const marks = [element, element.parentElement, element.nextElementSibling].flatMap((each) => {
    if (each === null) return [];
    const style = getComputedStyle(each);
    return [
      ...(style.outlineStyle === "none" ? [] : [rgba(style.outlineColor)]),
      ...(each === element && parseFloat(style.borderTopWidth) > 0 ? [rgba(style.borderTopColor)] : []),
    ];
  });
  const best = Math.max(1, ...marks.map((color) => contrast(over(color, around), around)));
  return best < 3 ? [told(element, best)] : [];
})()`);

const MEASURE = `
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const rgba = (color) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = color;
    canvas.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data;
    return [r, g, b, a / 255];
  };
  const over = ([r, g, b, a], under) => [r, g, b].map((value, i) => value * a + under[i] * (1 - a));
  const backgroundOf = (element) => {
    const layers = [];
    for (let each = element; each !== null; each = each.parentElement) {
      const color = rgba(getComputedStyle(each).backgroundColor);
      layers.push(color);
      if (color[3] === 1) break;
    }
    return layers.reverse().reduce((under, color) => over(color, under), rgba("Canvas").slice(0, 3));
  };
  const light = (color) => {
    const [r, g, b] = color.map((value) => value / 255).map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const contrast = (one, other) => {
    const [a, b] = [light(one), light(other)].sort((x, y) => y - x);
    return (a + 0.05) / (b + 0.05);
  };
  const told = (element, ratio) => ratio.toFixed(2) + ": " + element.outerHTML.slice(0, 160);
`;
