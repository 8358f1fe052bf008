/** Elements whose press is remembered until the live page can react. Links work without a script. */
export const pressable = "button, label, [role=treeitem]"

/** Identifies the pressed element by words that are the same in the live page. */
export function pressedName(element: HTMLElement): string {
  return `${element.tagName} ${element.dataset.press ?? element.getAttribute("aria-label") ?? element.textContent}`
}

/** The same function as text, for the inline script that runs before any other code is loaded. */
export const pressedNameScript = `function(e){
var name=e.dataset.press;
if(name===undefined)name=e.getAttribute("aria-label");
return e.tagName+" "+(name===null?e.textContent:name)
}`
