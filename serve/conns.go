package serve

// Open connections: how many there may be, and which are left.

import (
	"net"
	"net/http"
	"sync"

	"assent"
	"assent/internal/peer"
)

// bounded lets at most n connections be open at once; further ones wait in the
// kernel's queue. foreign is told of the process that connected, and of another one that
// writes on its connection.
func bounded(l net.Listener, n int, foreign func(of assent.Process, pid int)) net.Listener {
	return &boundedListener{Listener: l, places: make(chan struct{}, n), closed: make(chan struct{}), foreign: foreign}
}

type boundedListener struct {
	net.Listener
	places chan struct{}
	once   sync.Once
	closed chan struct{}

	foreign func(of assent.Process, pid int)
}

func (b *boundedListener) Accept() (net.Conn, error) {
	select {
	case b.places <- struct{}{}:
	case <-b.closed:
		return nil, net.ErrClosed
	}
	c, err := b.Listener.Accept()
	if err != nil {
		<-b.places
		return nil, err
	}
	conn := &boundedConn{Conn: c, leave: sync.OnceFunc(func() { <-b.places })}
	if u, ok := c.(*net.UnixConn); ok {
		conn.unix = u
		conn.Conn = peer.Own(u, func(pid int) {
			of, _ := peer.Of(u) // on failure it carries the user alone
			b.foreign(of, pid)
		})
	}
	return conn, nil
}

func (b *boundedListener) Close() error {
	b.once.Do(func() { close(b.closed) })
	return b.Listener.Close()
}

type boundedConn struct {
	net.Conn
	unix  *net.UnixConn // what it is, at a socket
	leave func()
}

func (c *boundedConn) Close() error {
	defer c.leave()
	return c.Conn.Close()
}

// conns follows the connections of a server, so that Run outlives every one.
type conns struct {
	sync.WaitGroup
	mu     sync.Mutex
	unused map[net.Conn]bool // nothing was asked on them yet
}

func (c *conns) follow(conn net.Conn, to http.ConnState) {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch to {
	case http.StateNew:
		c.Add(1)
		if c.unused == nil {
			c.unused = map[net.Conn]bool{}
		}
		c.unused[conn] = true
		return
	case http.StateClosed, http.StateHijacked:
		c.Done()
	}
	delete(c.unused, conn)
}

// dropUnused closes what would only hold up the end.
func (c *conns) dropUnused() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for conn := range c.unused {
		conn.Close()
	}
}
