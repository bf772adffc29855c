/// The least size of text, in pixels of the screen, in the view with which a page begins.
package let leastTextSize = 9.0
/// The least size of text that pictures are drawn with.
package let drawnTextSize = 11.0

/// Moves and zooms pictures by their view box, by a mouse or by fingers; without scripts the whole of each is seen.
///
/// Of a picture that is divided, the overview is shown until a cluster or a box is chosen. What does not fit begins with
/// what changed.
let pictureScript = """
    const [least, drawn, title] = [\(leastTextSize), \(drawnTextSize), 26];
    const frame = document.querySelector('.picture');
    const tools = document.querySelector('.tools');
    const numbers = (text) => (text || '').match(/-?[0-9.]+/g).map(Number);
    // The name of a box or a cluster as it is drawn from afar, above everything.
    const nameOf = (svg, group, words, mark) => {
      const text = document.createElementNS(svg.namespaceURI, 'text');
      text.textContent = words;
      text.setAttribute('class', mark);
      group.append(text);
      return text;
    };
    const pictures = [...document.querySelectorAll('.picture svg')].map((svg) => {
      const diagram = svg.querySelector('.diagram');
      const shift = numbers(diagram.getAttribute('transform'))[1];
      const group = document.createElementNS(svg.namespaceURI, 'g');
      group.setAttribute('class', 'afar');
      diagram.append(group);
      const boundsOf = (part, rect) => {
        const [x, y] = numbers(part.getAttribute('transform'));
        const [width, height] = [Number(rect.getAttribute('width')), Number(rect.getAttribute('height'))];
        return [x, y + shift, x + width, y + shift + height];
      };
      const boxes = [...svg.querySelectorAll('.box')].map((box) => {
        const bounds = boundsOf(box, box.querySelector('.frame'));
        const [width, height] = [bounds[2] - bounds[0], bounds[3] - bounds[1]];
        const name = box.querySelector('title').textContent;
        const mark = ['added', 'removed', 'changed'].find((mark) => box.classList.contains(mark)) || '';
        const size = Math.max(12, Math.min(height * 0.7, width / (name.length * 0.62 + 0.6), 60));
        return { box, bounds, name, mark, size, text: nameOf(svg, group, name, mark) };
      });
      const clusters = [...svg.querySelectorAll('.cluster')].map((cluster) => {
        const name = cluster.querySelector('text').textContent;
        const bounds = boundsOf(cluster, cluster.querySelector('rect'));
        return { bounds, name, size: title, text: nameOf(svg, group, name, 'over') };
      });
      const whole = svg.getAttribute('viewBox').split(' ').map(Number);
      return { svg, boxes, clusters, shift, whole, view: whole.slice() };
    });
    if (pictures.length > 0) {
      const all = pictures[pictures.length - 1];
      const back = tools.querySelector('[data-zoom=back]');
      let now = pictures[0];
      let isHome = true;
      frame.classList.add('live');
      const scaleOf = (view) => Math.max(view[2] / frame.clientWidth, view[3] / frame.clientHeight);
      const scale = () => scaleOf(now.view);
      // From afar rows are dust: names alone are drawn, as large as their boxes allow.
      const isFar = (view) => drawn / scaleOf(view) < least - 0.001;
      const isFound = (item) => item.box && item.box.classList.contains('found');
      // Names are never smaller than can be read. One that has no room for that is drawn over the neighbours of its
      // box, or not at all where another one is: clusters first, then what was found or changed, then large boxes.
      const nameAll = () => {
        const unit = scale();
        if (now.unit === unit) return;
        now.unit = unit;
        const area = ({ bounds }) => (bounds[2] - bounds[0]) * (bounds[3] - bounds[1]);
        const rank = (item) => isFound(item) ? 0 : item.mark ? 1 : 2;
        const boxes = now.boxes.slice().sort((one, two) => rank(one) - rank(two) || area(two) - area(one));
        const taken = [];
        for (const item of now.clusters.concat(boxes)) {
          const { bounds, name, text } = item;
          const size = Math.max(item.size, drawn * unit);
          const wide = name.length * 0.62 * size;
          const left = item.box ? (bounds[0] + bounds[2] - wide) / 2 : bounds[0] + 14;
          const top = item.box ? (bounds[1] + bounds[3] - size) / 2 : bounds[1] + 10;
          const isHidden = taken.some((other) =>
            left < other[2] && other[0] < left + wide && top < other[3] && other[1] < top + size);
          text.toggleAttribute('hidden', isHidden);
          if (isHidden) continue;
          taken.push([left, top, left + wide, top + size]);
          text.classList.toggle('found', isFound(item));
          text.style.fontSize = size + 'px';
          text.setAttribute('x', left);
          text.setAttribute('y', top + size * 0.85 - now.shift);
        }
      };
      const show = () => {
        pictures.forEach((picture) => picture.svg.toggleAttribute('hidden', picture !== now));
        if (back) back.hidden = now === pictures[0];
        now.svg.setAttribute('viewBox', now.view.join(' '));
        isHome = false;
        const far = isFar(now.view);
        now.svg.classList.toggle('far', far);
        if (far) nameAll();
      };
      const isReadable = (view) => {
        if (!isFar(view)) return true;
        return [...now.boxes, ...now.clusters].every(({ size }) => size / scaleOf(view) >= least);
      };
      // The view of a part with some room around it, and never larger than it is drawn.
      const around = ([left, top, right, bottom]) => {
        const [wide, high] = [right - left, bottom - top];
        const size = Math.max((wide + 60) / frame.clientWidth, (high + 60) / frame.clientHeight, 1);
        const [width, height] = [frame.clientWidth * size, frame.clientHeight * size];
        return [left + (wide - width) / 2, top + (high - height) / 2, width, height];
      };
      const join = (one, two) =>
        one.map((value, index) => index < 2 ? Math.min(value, two[index]) : Math.max(value, two[index]));
      // The first part, and of the others as many as can be read beside it.
      const reach = (parts) => {
        let [bounds, count] = [parts[0], 1];
        for (const part of parts.slice(1)) {
          const both = join(bounds, part);
          if (isFar(around(both))) continue;
          bounds = both;
          count += 1;
        }
        return { bounds, count };
      };
      const goTo = (bounds) => {
        now.view = around(bounds);
        // Of what is too large to be read as a whole, the upper left corner is shown.
        if (isFar(now.view)) {
          const widest = drawn / least;
          now.view = [bounds[0] - 30, bounds[1] - 30, frame.clientWidth * widest, frame.clientHeight * widest];
        }
        show();
      };
      const distance = (one, two) => Math.hypot(
        one[0] + one[2] - two[0] - two[2], one[1] + one[3] - two[1] - two[3]);
      const changes = ({ box }) => box.querySelectorAll('.row.added, .row.removed, .row.changed').length;
      // Where most of some boxes can be read at once, with the one in which most changed as a whole.
      const goToMost = (boxes) => {
        const most = boxes.reduce((best, box) => changes(box) > changes(best) ? box : best).bounds;
        const parts = [most, ...boxes.slice(0, 60).map(({ bounds }) => bounds).filter((part) => part !== most)];
        const views = parts.map((part) =>
          reach(parts.slice().sort((one, two) => distance(part, one) - distance(part, two))));
        const { bounds } = views
          .filter((view) => join(view.bounds, most).every((value, index) => value === view.bounds[index]))
          .reduce((best, view) => view.count > best.count ? view : best);
        goTo(bounds);
        // What fills most of the frame begins at its edge, where no box is cut.
        if ((bounds[2] - bounds[0] + 60) * 2 > now.view[2]) {
          now.view[0] = bounds[0] - 30;
          show();
        }
      };
      // A picture that is too large to be read as a whole begins with what changed, else at its upper left corner.
      const home = () => {
        frame.style.height = '';
        const changed = now.boxes.filter(({ mark }) => mark);
        const isSeen = changed.length > 0 ? !isFar(now.whole) : isReadable(now.whole);
        const [left, top, width, height] = now.whole;
        if (frame.clientWidth === 0 || isSeen) {
          // A small picture gets no more room than it needs, and is not drawn larger than can be read with ease.
          const high = Math.min(frame.clientHeight, height * 1.5, frame.clientWidth * height / width);
          if (frame.clientWidth > 0) frame.style.height = Math.max(high, 160) + 'px';
          now.view = now.whole.slice();
          show();
        } else if (changed.length > 0) goToMost(changed);
        else goTo([left + 30, top + 30, left + width, top + height]);
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
        now = pictures[0];
        home();
      };
      frame.addEventListener('keydown', (event) => {
        const step = 60 * scale();
        const moves = { ArrowLeft: [-step, 0], ArrowRight: [step, 0], ArrowUp: [0, -step], ArrowDown: [0, step] };
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
      // Wherever the focus is: a click on a cluster leaves it nowhere.
      document.addEventListener('keydown', (event) => { if (event.key === 'Escape') goBack(); });
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
      const find = () => {
        const name = /^#(box|cluster)-[0-9]+$/.test(location.hash) && location.hash.slice(1);
        const part = name && document.getElementById(name);
        if (!part) {
          if (!location.hash) choose(pictures[0]);
          return;
        }
        choose(all);
        const box = all.boxes.find((item) => item.box === part);
        const cluster = all.clusters[[...all.svg.querySelectorAll('.cluster')].indexOf(part)];
        if (box) goTo(box.bounds);
        else {
          const [left, top, right, bottom] = cluster.bounds;
          const changed = all.boxes.filter(({ mark, bounds }) => mark
            && bounds[0] >= left && bounds[1] >= top && bounds[2] <= right && bounds[3] <= bottom);
          const view = around(cluster.bounds);
          if (changed.length > 0 ? isFar(view) : !isReadable(view)) {
            if (changed.length > 0) goToMost(changed);
            else goTo(cluster.bounds);
          } else {
            now.view = view;
            show();
          }
        }
        frame.scrollIntoView({ block: 'nearest' });
      };
      window.addEventListener('hashchange', find);
      home();
      find();
      let hadText = false;
      window.seek = (text) => {
        if (!text && hadText) goBack();
        hadText = Boolean(text);
        // Names come before what stands in boxes, the whole name before a part of one.
        const rank = ({ name, box }) => {
          const own = name.toLowerCase();
          if (own.includes(text)) return own === text ? 0 : own.startsWith(text) ? 1 : 2;
          return box.textContent.toLowerCase().includes(text) ? 3 : -1;
        };
        const found = !text ? [] : all.boxes.map((item) => ({ item, rank: rank(item) }))
          .filter(({ rank }) => rank >= 0)
          .sort((one, two) => one.rank - two.rank || one.item.name.length - two.item.name.length);
        all.svg.classList.toggle('sought', found.length > 0);
        all.boxes.forEach((item) => item.box.classList.toggle('found', found.some((hit) => hit.item === item)));
        // What was found is named first.
        all.unit = 0;
        if (found.length === 0) return;
        choose(all);
        const best = found[0].item.bounds;
        const others = found.slice(1).sort((one, two) => one.rank - two.rank
          || distance(best, one.item.bounds) - distance(best, two.item.bounds));
        goTo(reach([best, ...others.map(({ item }) => item.bounds)]).bounds);
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
        document.querySelectorAll('section.asked').forEach((part) => { part.hidden = chosen.size > 0; });
      });
    });
    """
