/** The appearance that a user chose. `auto` follows the system. */
export type ColorScheme = "light" | "dark" | "auto"

export const colorSchemeCookie = "docket-appearance"

/**
 * Runs before the first paint, on pages with and without Mantine. Sets the attribute that tokens.css and Mantine read.
 */
export const colorSchemeScript = `(function(){try{
var m=document.cookie.match(/(?:^|; )${colorSchemeCookie}=(light|dark|auto)/);
var s=m?m[1]:"auto";
if(s==="auto")s=matchMedia("(prefers-color-scheme: dark)").matches?"dark":"light";
document.documentElement.setAttribute("data-mantine-color-scheme",s);
}catch(e){}})()`
