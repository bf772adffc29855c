/// The least size of text, in pixels of the screen, in the view with which a page begins.
package let leastTextSize = 9.0
/// The least size of text that pictures are drawn with.
package let drawnTextSize = 11.0

/// Moves and zooms pictures by their view box, by a mouse or by fingers; without scripts the whole of each is seen.
///
/// Of a picture that is divided, the overview is shown until a cluster or a box is chosen.
let pictureScript = """
    const frame = document.querySelector('.picture');
    const tools = document.querySelector('.tools');
    const pictures = [...document.querySelectorAll('.picture svg')].map((svg) => {
      const boxes = [...svg.querySelectorAll('.box')].map((box) => {
        const [rect, title] = [box.querySelector('.frame'), box.querySelector('.title')];
        const [width, height] = [Number(rect.getAttribute('width')), Number(rect.getAttribute('height'))];
        const size = Math.min(height * 0.7, width / (title.textContent.length * 0.62 + 0.6), 60);
        return { box, title, size: Math.max(12, size), middle: height / 2 };
      });
      const whole = svg.getAttribute('viewBox').split(' ').map(Number);
      return { svg, boxes, whole, view: whole.slice() };
    });
    if (pictures.length > 0) {
      const [least, drawn, title] = [\(leastTextSize), \(drawnTextSize), 26];
      const all = pictures[pictures.length - 1];
      const back = tools.querySelector('[data-zoom=back]');
      let now = pictures[0];
      let isHome = true;
      frame.classList.add('live');
      const scaleOf = (view) => Math.max(view[2] / frame.clientWidth, view[3] / frame.clientHeight);
      const scale = () => scaleOf(now.view);
      // From afar rows are dust: names are drawn as large as their boxes allow.
      const isFar = (view) => 12 / scaleOf(view) < 8;
      const show = () => {
        pictures.forEach((picture) => picture.svg.toggleAttribute('hidden', picture !== now));
        if (back) back.hidden = now === pictures[0];
        now.svg.setAttribute('viewBox', now.view.join(' '));
        isHome = false;
        const far = isFar(now.view);
        now.svg.classList.toggle('far', far);
        now.boxes.forEach(({ title, size, middle }) => {
          title.style.fontSize = far ? size + 'px' : '';
          title.setAttribute('y', far ? middle + size * 0.35 : 17);
        });
      };
      const isReadable = (view) => {
        if (!isFar(view)) return drawn / scaleOf(view) >= least;
        const sizes = now.boxes.map(({ size }) => size);
        if (now.svg.querySelector('.cluster')) sizes.push(title);
        return Math.min(...sizes) / scaleOf(view) >= least;
      };
      // A picture that is too large to be read as a whole begins at its upper left corner, at a size that can be.
      const home = () => {
        const widest = drawn / least;
        const start = [now.whole[0], now.whole[1], frame.clientWidth * widest, frame.clientHeight * widest];
        now.view = frame.clientWidth === 0 || isReadable(now.whole) ? now.whole.slice() : start;
        show();
        isHome = true;
      };
      // What nobody has moved keeps its size when the window gets another one.
      window.addEventListener('resize', () => { if (isHome) home(); });
      const choose = (picture) => {
        if (now === picture) return;
        now = picture;
        home();
      };
      const zoom = (by, x, y) => {
        const width = Math.min(now.whole[2] * 4, Math.max(60, now.view[2] / by));
        const ratio = width / now.view[2];
        const [left, top] = [x - (x - now.view[0]) * ratio, y - (y - now.view[1]) * ratio];
        now.view = [left, top, width, now.view[3] * ratio];
        show();
      };
      const place = (event) => {
        const point = new DOMPoint(event.clientX, event.clientY);
        return point.matrixTransform(now.svg.getScreenCTM().inverse());
      };
      frame.addEventListener('wheel', (event) => {
        // The wheel alone scrolls the page.
        if (!event.ctrlKey && !event.metaKey) return;
        event.preventDefault();
        const at = place(event);
        zoom(Math.exp(-event.deltaY / 400), at.x, at.y);
      }, { passive: false });
      const middle = () => [now.view[0] + now.view[2] / 2, now.view[1] + now.view[3] / 2];
      const goBack = () => {
        history.replaceState(null, '', location.pathname + location.search);
        choose(pictures[0]);
      };
      frame.addEventListener('keydown', (event) => {
        const step = 60 * scale();
        const moves = { ArrowLeft: [-step, 0], ArrowRight: [step, 0], ArrowUp: [0, -step], ArrowDown: [0, step] };
        if (event.key === 'Escape') goBack();
        if (event.ctrlKey || event.metaKey) return;
        if (moves[event.key]) {
          now.view[0] += moves[event.key][0];
          now.view[1] += moves[event.key][1];
          show();
        } else if (event.key === '+' || event.key === '=') zoom(1.25, ...middle());
        else if (event.key === '-') zoom(0.8, ...middle());
        else if (event.key === '0') { now.view = now.whole.slice(); show(); }
        else return;
        event.preventDefault();
      });
      const held = new Map();
      let dragged = 0;
      frame.addEventListener('pointerdown', (event) => {
        dragged = 0;
        // A finger alone scrolls the page; two fingers, a mouse or a pen move the picture.
        held.set(event.pointerId, event);
      });
      frame.addEventListener('dragstart', (event) => event.preventDefault());
      frame.addEventListener('click', (event) => { if (dragged > 4) event.preventDefault(); }, true);
      for (const end of ['pointerup', 'pointercancel']) {
        window.addEventListener(end, (event) => held.delete(event.pointerId));
      }
      window.addEventListener('pointermove', (event) => {
        const last = held.get(event.pointerId);
        if (!last) return;
        const other = [...held.values()].find((finger) => finger.pointerId !== event.pointerId);
        if (other) {
          const from = (finger) =>
            Math.hypot(finger.clientX - other.clientX, finger.clientY - other.clientY);
          const at = place(other);
          zoom(from(event) / Math.max(1, from(last)), at.x, at.y);
        } else if (event.pointerType !== 'touch') {
          const [x, y] = [event.clientX - last.clientX, event.clientY - last.clientY];
          dragged += Math.abs(x) + Math.abs(y);
          now.view[0] -= x * scale();
          now.view[1] -= y * scale();
          show();
        }
        held.set(event.pointerId, event);
      });
      tools.querySelectorAll('button').forEach((button) => button.addEventListener('click', () => {
        if (button === back) return goBack();
        const by = Number(button.dataset.zoom);
        if (by === 0) { now.view = now.whole.slice(); show(); }
        else zoom(by, ...middle());
      }));
      // What is gone to is shown with some room around it, and never larger than it is drawn.
      const goTo = (parts) => {
        const corners = parts.flatMap((part) => {
          const bounds = part.getBBox();
          const toPicture = now.svg.getScreenCTM().inverse().multiply(part.getScreenCTM());
          return [[0, 0], [bounds.width, bounds.height]].map(([x, y]) =>
            new DOMPoint(bounds.x + x, bounds.y + y).matrixTransform(toPicture));
        });
        const [xs, ys] = [corners.map((corner) => corner.x), corners.map((corner) => corner.y)];
        const [left, top] = [Math.min(...xs), Math.min(...ys)];
        const [wide, high] = [Math.max(...xs) - left, Math.max(...ys) - top];
        const size = Math.max((wide + 60) / frame.clientWidth, (high + 60) / frame.clientHeight, 1);
        const [width, height] = [frame.clientWidth * size, frame.clientHeight * size];
        now.view = [left + (wide - width) / 2, top + (high - height) / 2, width, height];
        // Of what is too large to be read as a whole, the upper left corner is shown.
        if (!isReadable(now.view)) {
          const widest = drawn / least;
          now.view = [left - 30, top - 30, frame.clientWidth * widest, frame.clientHeight * widest];
        }
        show();
      };
      const find = () => {
        const name = /^#(box|cluster)-[0-9]+$/.test(location.hash) && location.hash.slice(1);
        const part = name && document.getElementById(name);
        if (!part) return;
        choose(all);
        goTo([part.querySelector('.frame') || part.querySelector('rect') || part]);
        frame.scrollIntoView({ block: 'nearest' });
      };
      window.addEventListener('hashchange', find);
      home();
      find();
      let hadText = false;
      window.seek = (text) => {
        if (!text && hadText) goBack();
        hadText = Boolean(text);
        const found = text ? all.boxes.filter(({ box }) => box.textContent.toLowerCase().includes(text)) : [];
        all.svg.classList.toggle('sought', found.length > 0);
        all.boxes.forEach((item) => item.box.classList.toggle('found', found.includes(item)));
        if (found.length === 0) return;
        choose(all);
        goTo(found.map(({ box }) => box.querySelector('.frame')));
      };
    }
    const search = document.querySelector('input[type=search]');
    if (search) search.addEventListener('input', () => {
      const text = search.value.toLowerCase();
      document.querySelectorAll('.names li').forEach((item) => {
        item.hidden = !item.textContent.toLowerCase().includes(text);
      });
      if (window.seek) window.seek(text);
    });
    const chosen = new Set();
    document.querySelectorAll('button[data-verdict]').forEach((button) => {
      button.addEventListener('click', () => {
        const verdict = button.dataset.verdict;
        if (!chosen.delete(verdict)) chosen.add(verdict);
        button.setAttribute('aria-pressed', chosen.has(verdict));
        document.querySelectorAll('li[data-verdict]').forEach((item) => {
          item.hidden = chosen.size > 0 && !chosen.has(item.dataset.verdict);
        });
        document.querySelectorAll('section.entity').forEach((part) => {
          part.hidden = !part.querySelector('li:not([hidden])');
        });
      });
    });
    """
