/** What can be pressed before it can do anything. Links lead where they lead without a script. */
export const pressable = "button, label, [role=treeitem]"

/** What is pressed, in words that are the same in the page that takes over. */
export function pressedName(element: HTMLElement): string {
  return `${element.tagName} ${element.dataset.press ?? element.getAttribute("aria-label") ?? element.textContent}`
}

/** The same for the script of a document, which runs before any code comes. */
export const pressedNameScript = `function(e){
var name=e.dataset.press;
if(name===undefined)name=e.getAttribute("aria-label");
return e.tagName+" "+(name===null?e.textContent:name)
}`
