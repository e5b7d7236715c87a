/** Base address of `404.html`: servers return it for paths of any depth, and its links are relative to the top folder. */
import { exportMarker } from './folder.js'

/** Returns a script that sets the base address; without a known one it searches upwards for the marker file. */
export function notFoundScript(publicUrl: string | undefined): string {
  const set = `const set=p=>{const b=document.createElement('base');b.href=p;document.head.prepend(b);document.querySelectorAll('link[rel=stylesheet]').forEach(l=>l.replaceWith(l.cloneNode()))};`
  if (publicUrl !== undefined)
    return `${set}set(${JSON.stringify(new URL(publicUrl).pathname).replaceAll('<', '\\u003c')})`
  return `${set}(async()=>{let p=location.pathname.replace(/[^/]*$/,'');for(let n=0;n<30;n++){const a=await fetch(p+'${exportMarker}').catch(()=>0);if(a.ok)return set(p);if(p==='/')return;p=p.replace(/[^/]*\\/$/,'')}})()`
}
