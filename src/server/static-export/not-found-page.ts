/** What `404.html` needs: it is shown for addresses of any depth, and its ways are written as seen from the top. */
import { twinMark } from './folder.js'

/** Returns a script that tells the browser where the top is; without a known address it looks from the bottom up. */
export function lostPageScript(at: string | undefined): string {
  const set = `const set=p=>{const b=document.createElement('base');b.href=p;document.head.prepend(b);document.querySelectorAll('link[rel=stylesheet]').forEach(l=>l.replaceWith(l.cloneNode()))};`
  if (at !== undefined) return `${set}set(${JSON.stringify(new URL(at).pathname).replaceAll('<', '\\u003c')})`
  return `${set}(async()=>{let p=location.pathname.replace(/[^/]*$/,'');for(let n=0;n<30;n++){const a=await fetch(p+'${twinMark}').catch(()=>0);if(a.ok)return set(p);if(p==='/')return;p=p.replace(/[^/]*\\/$/,'')}})()`
}
