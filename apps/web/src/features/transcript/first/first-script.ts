import { placesKey } from "../place.ts"
import { pressable, pressedNameScript } from "./pressed.ts"

/**
 * Runs when the whole page has arrived; until then its rows are hidden. Scrolls them to the linked part, to the
 * reader's last place if it is among them, or to the end; away from the end, rows keep their place when the area below
 * grows. Rows stay hidden if the place is elsewhere or rows were open. `data-touched` says that the reader has touched
 * the page: until then, rows that move by themselves, as with a late font, say nothing about the reader's place. The
 * last press is stored for the live list: a row's button by its index, any other element by its name.
 */
export const firstScript = `(function(){
var me=document.querySelector("[data-first]"),box=me.querySelector("[data-rows]"),part=me.dataset.part,id=me.dataset.session,place;
function row(key){return box.querySelector("[data-row="+JSON.stringify(key)+"]")}
try{
var places=new Map(JSON.parse(sessionStorage.getItem("${placesKey}")||"[]"));
var entry=window.navigation&&navigation.currentEntry;
place=(entry&&places.get(id+" "+entry.key))||(part===undefined&&places.get(id))||undefined;
}catch(e){}
if(place&&(!place.following||place.open.length||part!==undefined)){
var at=!place.following&&!place.open.length&&place.row&&row(place.row.key);
if(at)box.scrollTop+=at.getBoundingClientRect().top-box.getBoundingClientRect().top+place.row.above;
else if(box===me.firstElementChild)me.hidden=true;
else me.dataset.elsewhere="";
}else if(part!==undefined){
var linked=box.querySelector("[data-linked=true]");
if(linked)linked.scrollIntoView({block:"center"});
}
me.dataset.opened=String(box.scrollTop);
["wheel","touchmove","keydown","pointerdown"].forEach(function(name){
addEventListener(name,function(){me.dataset.touched=""},{capture:true,once:true,passive:true});
});
var high=box.clientHeight;
new ResizeObserver(function(){
var more=box.clientHeight-high;
high+=more;
if(more===0||box.scrollTop>-8)return;
me.dataset.opened=String(Number(me.dataset.opened)+more);
box.scrollTop+=more;
}).observe(box);
me.addEventListener("click",function(e){
var pressed=e.target.closest("${pressable}"),of=pressed&&pressed.closest("[data-row]");
if(of)me.dataset.pressed=JSON.stringify([of.dataset.row,Array.prototype.indexOf.call(of.querySelectorAll("button"),pressed)]);
else if(pressed)me.dataset.pressed=JSON.stringify([null,(${pressedNameScript})(pressed)]);
});
})()`
